import CSQLite

extension Statement {
    /// Who owns the bytes of a bound text or blob.
    package enum Lifetime: Sendable {
        /// SQLite copies them.
        case copied
        /// The caller keeps them unchanged in memory until the parameter is bound again or cleared.
        case borrowed
    }

    /// The number of parameters of the statement.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    package func bindNull(at index: Int) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, Int32(clamping: index)), index)
    }

    package func bind(_ integer: Int64, at index: Int) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, Int32(clamping: index), integer), index)
    }

    /// Binds a number; SQLite converts NaN to NULL.
    package func bind(_ real: Double, at index: Int) throws(SQLiteError) {
        try check(sqlite3_bind_double(handle, Int32(clamping: index), real), index)
    }

    /// Binds text, which may contain NUL characters; SQLite copies it.
    package func bind(_ text: String, at index: Int) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 {
            csqlite_bind_text_copied(handle, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
        }
        try check(code, index)
    }

    /// Binds text that is already UTF-8.
    package func bind(
        text bytes: UnsafeRawBufferPointer, at index: Int, _ lifetime: Lifetime = .copied
    ) throws(SQLiteError) {
        let bind = lifetime == .copied ? csqlite_bind_text_copied : csqlite_bind_text_borrowed
        try check(bind(handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count)), index)
    }

    package func bind(
        blob bytes: UnsafeRawBufferPointer, at index: Int, _ lifetime: Lifetime = .copied
    ) throws(SQLiteError) {
        let bind = lifetime == .copied ? csqlite_bind_blob_copied : csqlite_bind_blob_borrowed
        try check(bind(handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count)), index)
    }

    /// Binds a blob of zeros; it takes no memory if all following columns of the row are such blobs too.
    package func bind(zeros count: Int, at index: Int) throws(SQLiteError) {
        try check(sqlite3_bind_zeroblob64(handle, Int32(clamping: index), UInt64(clamping: count)), index)
    }

    package func bind(_ value: Value, at index: Int) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try bind(real, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes):
            let code = bytes.withUnsafeBytes {
                csqlite_bind_blob_copied(handle, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
            }
            try check(code, index)
        }
    }

    /// Binds the values to the parameters in order; their numbers must be equal.
    package func bind(_ values: [Value]) throws(SQLiteError) {
        guard values.count == parameterCount else {
            throw SQLiteError(
                code: .range, attempt: "bind", sql: sql,
                message: "\(values.count) values for \(parameterCount) parameters")
        }
        for (offset, value) in values.enumerated() { try bind(value, at: offset + 1) }
    }

    private func check(_ code: Int32, _ index: Int) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        throw SQLiteError(
            code: code, attempt: "bind parameter \(index)", sql: sql, on: sqlite3_db_handle(handle))
    }
}
