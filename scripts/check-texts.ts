import { join, resolve } from 'node:path'
import ts from 'typescript'

/**
 * Every text of the dashboard is used, and every language has the texts of the English one and no others: the compiler reports missing
 * texts, but neither unused ones nor, in other languages, those that English no longer has.
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

const PASSES_ON = new Set([
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.JsxExpression,
  ts.SyntaxKind.PropertyAssignment,
])

/** Texts that are not read here, but given to something else. */
function usePassedOn(node: ts.Expression): void {
  const { parent } = node
  if (!PASSES_ON.has(parent.kind)) return
  const given = checker.getTypeAtLocation(node)
  if (!given.getProperties().some(isText)) return
  if (ts.isAsExpression(parent)) usePart(given, checker.getTypeAtLocation(parent))
  else if (ts.isConditionalExpression(parent) || ts.isSpreadAssignment(parent)) usePart(given, undefined)
  else {
    const wanted = checker.getContextualType(node)
    if (wanted && wanted !== given) usePart(given, wanted)
  }
}

/** Most properties in the pages have no name of a text, and finding the type of each takes long. */
const names = new Set<string>()

function collectNames(node: ts.Node): void {
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) names.add(nameOf(node))
  ts.forEachChild(node, collectNames)
}

const nameOf = ({ name }: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): string =>
  name.getText().replaceAll(/^['"]|['"]$/g, '')

function visit(node: ts.Node): void {
  if (ts.isPropertyAccessExpression(node) && names.has(node.name.text))
    use(checker.getSymbolAtLocation(node.name))
  if (ts.isElementAccessExpression(node))
    useByKey(checker.getTypeAtLocation(node.expression), checker.getTypeAtLocation(node.argumentExpression))
  if (ts.isBindingElement(node)) {
    const name = node.propertyName ?? node.name
    if (ts.isIdentifier(name)) use(checker.getTypeAtLocation(node.parent).getProperty(name.text))
  }
  if (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) usePassedOn(node)
  ts.forEachChild(node, visit)
}

const problems: string[] = []

/** The texts of an object literal and of those in it. */
function report(node: ts.Node, path: string): void {
  ts.forEachChild(node, (child) => {
    if (!ts.isPropertyAssignment(child) && !ts.isShorthandPropertyAssignment(child))
      return report(child, path)
    const name = `${path}.${nameOf(child)}`
    if (!used.has(child)) problems.push(`${name}: no page shows this text. Remove it in all languages.`)
    // Objects with a type of their own are read by names that the API returns.
    else if (ts.isPropertyAssignment(child) && ts.isObjectLiteralExpression(child.initializer))
      report(child.initializer, name)
  })
}

const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(DASHBOARD))
const pages = files.filter(({ fileName }) => !fileName.includes('/words/'))
const texts = files.filter(({ fileName }) => fileName.startsWith(ENGLISH) && !fileName.endsWith('/index.ts'))
for (const file of texts) collectNames(file)
for (const file of pages) visit(file)
for (const { statements } of texts)
  for (const statement of statements)
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
