import CSQLite

/// Passes statements to a closure when SQLite begins to execute them.
private final class StatementRecorder {
    let sink: (String) -> Void

    init(_ sink: @escaping (String) -> Void) { self.sink = sink }
}

extension Connection {
    /// Calls `sink` with the text of each statement that begins while `body` runs, with the bound values as SQL
    /// literals.
    ///
    /// Statements of triggers are not passed. Removes the connection's log; set it again afterwards.
    package func recordingStatements(_ sink: (String) -> Void, while body: () throws -> Void) rethrows {
        guard let handle else { return try body() }
        try withoutActuallyEscaping(sink) { sink in
            let recorder = StatementRecorder(sink)
            try withExtendedLifetime(recorder) {
                let context = Unmanaged.passUnretained(recorder).toOpaque()
                sqlite3_trace_v2(
                    handle, UInt32(SQLITE_TRACE_STMT),
                    { _, context, statement, text in
                        record(context, statement, text)
                    }, context)
                defer { sqlite3_trace_v2(handle, 0, nil, nil) }
                try body()
            }
        }
    }
}

private func record(
    _ context: UnsafeMutableRawPointer?, _ statement: UnsafeMutableRawPointer?, _ text: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context, let statement else { return 0 }
    // SQLite reports a statement of a trigger as a comment.
    if let text, text.assumingMemoryBound(to: UInt8.self).pointee == UInt8(ascii: "-") { return 0 }
    guard let expanded = sqlite3_expanded_sql(OpaquePointer(statement)) else { return 0 }
    defer { sqlite3_free(expanded) }
    Unmanaged<StatementRecorder>.fromOpaque(context).takeUnretainedValue().sink(String(cString: expanded))
    return 0
}
