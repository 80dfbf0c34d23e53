export const session = {
  title: 'Iniciar sesión',
  again: 'Vuelva a iniciar sesión',
  againHelp: 'Su sesión ha terminado. Esta página se queda como está.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  code: 'Código de un solo uso',
  codeHelp: 'Seis cifras de su aplicación de autenticación',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  wrong_password:
    'El correo electrónico o la contraseña no son correctos. Tras muchos intentos fallidos, el inicio de sesión se bloquea durante 15 minutos.',
  code_needed:
    'Esta cuenta usa la autenticación en dos pasos. Introduzca el código de su aplicación de autenticación.',
  wrong_code: 'El código no es correcto o ha caducado. Introduzca el más reciente.',
  too_many: 'Demasiados intentos. Espere un minuto y vuelva a intentarlo.',
  other: 'El servicio de identidad ha rechazado el inicio de sesión. Consulte al operador del servicio.',
  otherAddress: (url: string) => `Solo se puede iniciar sesión en ${url}.`,
}
