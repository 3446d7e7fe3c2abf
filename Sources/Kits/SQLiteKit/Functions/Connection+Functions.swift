import CSQLite

/// Properties of a function that SQLite relies on.
package struct FunctionFlags: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The same arguments give the same result within one statement.
    package static let deterministic = FunctionFlags(rawValue: SQLITE_DETERMINISTIC)
    /// Harmless even if an untrusted schema calls it; triggers and views of the file may use it.
    package static let innocuous = FunctionFlags(rawValue: SQLITE_INNOCUOUS)
    /// Not callable from triggers, views or anything else that is stored in the file.
    package static let directOnly = FunctionFlags(rawValue: SQLITE_DIRECTONLY)
}

extension Connection {
    /// Registers an SQL function; nil as `argumentCount` allows any number. An error becomes the statement's error.
    package func registerFunction(
        _ name: String, argumentCount: Int?, flags: FunctionFlags = [],
        _ body: @escaping (FunctionArguments) throws -> Value
    ) throws(SQLiteError) {
        let handle = try open(for: "register function \(name)")
        let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
        // On failure SQLite calls the destructor itself.
        let code = sqlite3_create_function_v2(
            handle, name, argumentCount.map { Int32(clamping: $0) } ?? -1, SQLITE_UTF8 | flags.rawValue, box,
            { callFunction($0, $1, $2) }, nil, nil, { releaseBox($0) })
        try check(code, "register function \(name)")
    }

    /// Removes a function.
    package func removeFunction(_ name: String, argumentCount: Int?) throws(SQLiteError) {
        let handle = try open(for: "remove function \(name)")
        let count = argumentCount.map { Int32(clamping: $0) } ?? -1
        try check(
            sqlite3_create_function_v2(handle, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil),
            "remove function \(name)")
    }
}

private final class FunctionBox {
    let body: (FunctionArguments) throws -> Value
    init(_ body: @escaping (FunctionArguments) throws -> Value) { self.body = body }
}

private func callFunction(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let context, let box = sqlite3_user_data(context) else { return }
    let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue()
    do {
        setResult(try function.body(FunctionArguments(context: context, count: count, values: values)), context)
    } catch {
        sqlite3_result_error(context, "\(error)", -1)
    }
}

func setResult(_ value: Value, _ context: OpaquePointer) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
        text.withUTF8 { csqlite_result_text_copied(context, $0.baseAddress, UInt64($0.count)) }
    case .blob(let bytes):
        bytes.withUnsafeBytes { csqlite_result_blob_copied(context, $0.baseAddress, UInt64($0.count)) }
    }
}

func releaseBox(_ box: UnsafeMutableRawPointer?) {
    guard let box else { return }
    Unmanaged<AnyObject>.fromOpaque(box).release()
}
