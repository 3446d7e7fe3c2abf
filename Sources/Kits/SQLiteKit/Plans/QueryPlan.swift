import CSQLite

/// How SQLite means to carry out a query: the answer of `EXPLAIN QUERY PLAN`, a tree.
package struct QueryPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package let id: Int64
        /// The step that this one is part of; an unused number, such as 0, for a top-level step.
        package let parent: Int64
        /// The operation, in SQLite's words, without values.
        package let detail: String

        package init(id: Int64, parent: Int64, detail: String) {
            self.id = id
            self.parent = parent
            self.detail = detail
        }
    }

    /// The steps in SQLite's order: parents come before their parts.
    package let steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    /// Lines as SQLite's shell draws them, such as `` `--SCAN t0 ``.
    package var lines: [String] {
        var lines: [String] = []
        draw(roots, after: "", into: &lines)
        return lines
    }

    /// The steps that are part of no other.
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
            // As deep as queries nest, which SQLite's parser bounds.
            draw(parts(of: step), after: indentation + (isLast ? "   " : "|  "), into: &lines)
        }
    }
}

extension QueryPlan {
    /// Whether rows are put in order by a sort of their own, because no index gives that order.
    package var sorts: Bool {
        steps.contains { $0.detail.hasPrefix("USE TEMP B-TREE FOR") && $0.detail.contains("ORDER BY") }
    }

    /// Whether SQLite makes an index for this one execution, which it does where one is missing.
    package var makesIndex: Bool { steps.contains { $0.detail.contains("AUTOMATIC") } }
}

extension QueryPlan {
    /// Asks SQLite for the plan of a query, past all caches, logs and counts.
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

    /// Gives a parameter its value; a plan without it is a plan all the same.
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
