import CSQLite

/// The query plan that SQLite chose for a query: the tree that `EXPLAIN QUERY PLAN` returns.
package struct QueryPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package let id: Int64
        /// The step of which this one is a part; for a top-level step a number that no step has, such as 0.
        package let parent: Int64
        /// The operation, in SQLite's words, without values.
        package let detail: String

        package init(id: Int64, parent: Int64, detail: String) {
            self.id = id
            self.parent = parent
            self.detail = detail
        }
    }

    /// The steps in SQLite's order: each step precedes its parts.
    package let steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    /// The lines as SQLite's shell prints them, such as `` `--SCAN t0 ``.
    package var lines: [String] {
        var lines: [String] = []
        draw(roots, after: "", into: &lines)
        return lines
    }

    /// The top-level steps.
    package var roots: [Step] {
        let known = Set(steps.map(\.id))
        return steps.filter { !known.contains($0.parent) || $0.parent == $0.id }
    }

    /// The parts of a step.
    package func parts(of step: Step) -> [Step] { steps.filter { $0.parent == step.id && $0.id != step.id } }

    private func draw(_ steps: [Step], after indentation: String, into lines: inout [String]) {
        for (offset, step) in steps.enumerated() {
            let isLast = offset == steps.count - 1
            lines.append(indentation + (isLast ? "`--" : "|--") + step.detail)
            // The recursion is as deep as the query is nested, which SQLite's parser limits.
            draw(parts(of: step), after: indentation + (isLast ? "   " : "|  "), into: &lines)
        }
    }
}

extension QueryPlan {
    /// Whether rows are sorted in a separate step, because no index has the requested order.
    package var sorts: Bool {
        steps.contains { $0.detail.hasPrefix("USE TEMP B-TREE FOR") && $0.detail.contains("ORDER BY") }
    }

    /// Whether SQLite builds an automatic index for the execution, because a suitable index is missing.
    package var makesIndex: Bool { steps.contains { $0.detail.contains("AUTOMATIC") } }
}

extension QueryPlan {
    /// Reads the plan of a query from SQLite, without caches, logs and counters.
    init(of sql: String, binding values: [Value] = [], on database: OpaquePointer) throws(SQLiteError) {
        let question = "EXPLAIN QUERY PLAN " + sql
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(database, question, -1, &prepared, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, attempt: "plan", sql: question, on: database) }
        defer { sqlite3_finalize(prepared) }
        if let prepared {
            for (index, value) in values.enumerated() { Self.bind(value, at: Int32(clamping: index + 1), prepared) }
        }
        var steps: [Step] = []
        while true {
            let code = sqlite3_step(prepared)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else {
                    throw SQLiteError(code: code, attempt: "plan", sql: question, on: database)
                }
                break
            }
            steps.append(
                Step(
                    id: sqlite3_column_int64(prepared, 0), parent: sqlite3_column_int64(prepared, 1),
                    detail: sqlite3_column_text(prepared, 3).map { String(cString: $0) } ?? ""))
        }
        self.init(steps: steps)
    }

    /// Binds a parameter; ignores errors, since a plan without the value is usable too.
    private static func bind(_ value: Value, at index: Int32, _ prepared: OpaquePointer) {
        switch value {
        case .null: sqlite3_bind_null(prepared, index)
        case .integer(let integer): sqlite3_bind_int64(prepared, index, integer)
        case .real(let real): sqlite3_bind_double(prepared, index, real)
        case .text(var text):
            _ = text.withUTF8 { csqlite_bind_text_copied(prepared, index, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            _ = bytes.withUnsafeBytes {
                csqlite_bind_blob_copied(prepared, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
