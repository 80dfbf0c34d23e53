import { join, resolve } from 'node:path'
import ts from 'typescript'

/**
 * The types of the pages and the texts of the dashboard, in one pass of the compiler. Every text is used, and every language has the
 * texts of the English one and no others: the compiler alone reports missing texts, but neither unused ones nor, in other languages,
 * those that English no longer has.
 */
const ROOT = resolve(import.meta.dirname, '..')
const DASHBOARD = join(ROOT, 'web/dashboard')
const ENGLISH = join(DASHBOARD, 'words/en/')
const OTHERS = ['nl', 'de', 'fr', 'es']

const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'web/tsconfig.json'), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
  },
})
if (!config) throw new Error('web/tsconfig.json cannot be read')
const program = ts.createProgram(config.fileNames, config.options)
const checker = program.getTypeChecker()
const used = new Set<ts.Node>()

const isEnglish = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(ENGLISH)
const declarationsOf = (symbol: ts.Symbol | undefined): ts.Declaration[] => symbol?.declarations ?? []
const isText = (symbol: ts.Symbol): boolean => declarationsOf(symbol).some(isEnglish)
const use = (symbol: ts.Symbol | undefined): void => {
  for (const declaration of declarationsOf(symbol)) used.add(declaration)
}

/** The texts of an object that are read by a key which is known at run time only. */
function useByKey(object: ts.Type, key: ts.Type): void {
  const keys = key.isUnion() ? key.types : [key]
  if (keys.every((one) => one.isStringLiteral() || one.isNumberLiteral()))
    for (const one of keys) use(object.getProperty(String(one.value)))
  else for (const property of object.getProperties()) use(property)
}

/** A function that takes a part of the texts uses those that its parameter names, and `wanted` is the type of that. */
function usePart(given: ts.Type, wanted: ts.Type | undefined): void {
  const isAny = !wanted || checker.getIndexInfosOfType(wanted).length > 0
  for (const property of given.getProperties().filter(isText)) {
    const inWanted = wanted?.getProperty(property.name)
    if (!isAny && !inWanted) continue
    use(property)
    usePart(checker.getTypeOfSymbol(property), inWanted && checker.getTypeOfSymbol(inWanted))
  }
}

/** Texts that are not read here, but given to something else. */
function usePassedOn(node: ts.Expression): void {
  const { parent } = node
  const given = checker.getTypeAtLocation(node)
  if (ts.isAsExpression(parent)) usePart(given, checker.getTypeAtLocation(parent))
  else if (ts.isConditionalExpression(parent) || ts.isSpreadAssignment(parent)) usePart(given, undefined)
  else if (ts.isCallExpression(parent) || ts.isJsxExpression(parent) || ts.isPropertyAssignment(parent)) {
    const wanted = checker.getContextualType(node)
    if (wanted && wanted !== given) usePart(given, wanted)
  }
}

function visit(node: ts.Node): void {
  if (ts.isPropertyAccessExpression(node)) use(checker.getSymbolAtLocation(node.name))
  if (ts.isElementAccessExpression(node))
    useByKey(checker.getTypeAtLocation(node.expression), checker.getTypeAtLocation(node.argumentExpression))
  if (ts.isBindingElement(node)) {
    const name = node.propertyName ?? node.name
    if (ts.isIdentifier(name)) use(checker.getTypeAtLocation(node.parent).getProperty(name.text))
  }
  if (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) usePassedOn(node)
  ts.forEachChild(node, visit)
}

const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
  const line = file && `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}`
  return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
})
/** The texts of an object literal and of those in it. */
function report(node: ts.Node, path: string): void {
  ts.forEachChild(node, (child) => {
    if (!ts.isPropertyAssignment(child) && !ts.isShorthandPropertyAssignment(child))
      return report(child, path)
    const name = `${path}.${child.name.getText().replaceAll(/^['"]|['"]$/g, '')}`
    if (!used.has(child)) problems.push(`${name}: no page shows this text. Remove it in all languages.`)
    // Objects with a type of their own are read by names that the API returns.
    else if (ts.isPropertyAssignment(child) && ts.isObjectLiteralExpression(child.initializer))
      report(child.initializer, name)
  })
}

const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(DASHBOARD))
const pages = files.filter(({ fileName }) => !fileName.includes('/words/'))
for (const file of pages) visit(file)
for (const file of files)
  if (file.fileName.startsWith(ENGLISH) && !file.fileName.endsWith('/index.ts'))
    for (const statement of file.statements)
      if (ts.isVariableStatement(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (initializer && !ts.isArrowFunction(initializer)) report(initializer, name.getText())

/** The names of all texts, with those in objects below their path. */
const namesOf = (texts: object, path = ''): string[] =>
  Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? namesOf(value, `${path}${name}.`) : [`${path}${name}`],
  )
const read = async (language: string): Promise<Set<string>> =>
  new Set(namesOf((await import(join(DASHBOARD, `words/${language}/index.ts`)))[language]))
const english = await read('en')
for (const language of OTHERS) {
  const own = await read(language)
  for (const name of own.difference(english))
    problems.push(`${language}: ${name} is not in English. Remove it.`)
  for (const name of english.difference(own)) problems.push(`${language}: ${name} is missing.`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
