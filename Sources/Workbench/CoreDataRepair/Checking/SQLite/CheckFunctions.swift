import CoreData
import SQLiteKit

/// What is wrong with the file of a large value; the SQL function `fileFlaw` returns the raw values.
enum LargeValueFlaw: Int64 {
    case none = 0
    /// The file or its folder does not exist.
    case missing = 1
    /// The file name in the attribute's column is not a UUID.
    case name = 2
    /// The entry is not a regular file with exactly one name (hard link), or its status cannot be read.
    case kind = 3
}

/// The SQL functions that the rules' conditions and remedies call, registered on a connection.
struct CheckFunctions {
    static let isText = "coredata_check_is_text"
    static let repairedText = "coredata_check_repaired_text"
    static let isDecimal = "coredata_check_is_decimal"
    static let length = "coredata_check_length"
    static let matches = "coredata_check_matches"
    static let fileFlaw = "coredata_check_file_flaw"

    let folder: ExternalFolder?

    func register(on connection: Connection) throws {
        let flags: FunctionFlags = [.deterministic, .directOnly]
        try connection.registerFunction(Self.isText, argumentCount: 1, flags: flags) {
            .integer(String(validating: $0.textBytes(0), as: UTF8.self) == nil ? 0 : 1)
        }
        try connection.registerFunction(Self.repairedText, argumentCount: 1, flags: flags) {
            .text(String(decoding: $0.textBytes(0), as: UTF8.self))
        }
        try connection.registerFunction(Self.isDecimal, argumentCount: 1, flags: flags) {
            let text = String(decoding: $0.textBytes(0), as: UTF8.self)
            return .integer(text == "NaN" || NSDecimalNumber(string: text) != .notANumber ? 1 : 0)
        }
        try connection.registerFunction(Self.length, argumentCount: 1, flags: flags) {
            .integer(Int64(String(decoding: $0.textBytes(0), as: UTF8.self).utf16.count))
        }
        let patterns = CheckedPatterns()
        try connection.registerFunction(Self.matches, argumentCount: 2, flags: flags) {
            let (pattern, text) = (
                String(decoding: $0.textBytes(0), as: UTF8.self), String(decoding: $0.textBytes(1), as: UTF8.self)
            )
            return .integer(patterns.matches(text, pattern) ? 1 : 0)
        }
        let folder = folder
        try connection.registerFunction(Self.fileFlaw, argumentCount: 1, flags: [.directOnly]) {
            .integer(Self.flaw($0.blobBytes(0), folder).rawValue)
        }
    }

    private static func flaw(_ bytes: UnsafeRawBufferPointer, _ folder: ExternalFolder?) -> LargeValueFlaw {
        let name = String(decoding: bytes.dropFirst().prefix(64).prefix { $0 != 0 }, as: UTF8.self)
        guard name.utf8.count == 36, UUID(uuidString: name) != nil else { return .name }
        guard let folder else { return .missing }
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT ? .missing : .kind
        }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 ? .none : .kind
    }
}

/// The patterns of the model, each compiled once. Needs no lock: SQLite calls functions on one thread at a time.
private final class CheckedPatterns {
    private var known: [String: NSPredicate?] = [:]

    /// Whether a text matches a pattern; false for every text if the pattern is not a valid regular expression.
    func matches(_ text: String, _ pattern: String) -> Bool {
        let predicate = known[pattern] ?? ValidationRule(.pattern(pattern)).predicate
        known[pattern] = .some(predicate)
        return predicate?.evaluate(with: text) ?? false
    }
}
