/// Why a path is refused before SQLite opens it.
package enum FileRefusal: String, Sendable {
    case missing = "there is no file"
    case directory = "it is a directory"
    case pipe = "it is a named pipe"
    case socket = "it is a socket"
    case device = "it is a device"
    case empty = "the file is empty"
    case tooShort = "the file is shorter than a database header"
    case nulInPath = "the path holds a NUL character"
    case forbidden = "permission denied"
    case unreachable = "the path cannot be looked up"
}
