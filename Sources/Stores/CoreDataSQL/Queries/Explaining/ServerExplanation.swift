import CoreDataStore

/// How a store on a server carries out a fetch: which part of it the server decides, what it is asked, and its plan.
package struct ServerExplanation: Sendable {
    /// A statement and the server's plan for it.
    package struct Question: Sendable {
        package let query: CompiledQuery
        package let plan: ServerPlan
        /// The statement without the long expressions of indexes of folded texts.
        package let abbreviatedSQL: String
        /// What stands in place of each of them, and the index that has it.
        package let abbreviations: [Abbreviation]

        /// - Parameter indexes: those of folded texts that the database has; `dialect` is that of the statement.
        package init(query: CompiledQuery, plan: ServerPlan, indexes: [IndexDefinition], _ dialect: SQLDialect) {
            self.query = query
            self.plan = plan
            let (text, columns) = FoldedKey.abbreviated(query.sql)
            abbreviatedSQL = text
            abbreviations = columns.compactMap { column in
                let parts = column.split(separator: ".", maxSplits: 1).map(String.init)
                // The table of an alias stands before it.
                let index = indexes.first { index in
                    parts.count == 2 && index.elements.map { SQLIdentifier.quoted($0.column) } == [parts[1]]
                        && query.sql.contains("\(dialect.table(index.table)) \(parts[0])")
                }
                return index.map { Abbreviation(text: FoldedKey.short(column), index: $0.name) }
            }
        }
    }

    /// What stands for the expression of an index.
    package struct Abbreviation: Sendable, Equatable {
        package let text: String
        package let index: String
    }

    /// What came of a fetch that was carried out.
    package struct Outcome: Sendable, Equatable {
        /// The rows of the answer.
        package let answered: Int
        /// The rows that memory was asked of.
        package let evaluated: Int

        package init(answered: Int, evaluated: Int) {
            self.answered = answered
            self.evaluated = evaluated
        }
    }

    package let outline: PushedOutline
    /// The queries for rows, in this order. The second is sent only if a row was in doubt.
    package let questions: [Question]
    /// Nil for a fetch that was only planned.
    package let outcome: Outcome?
    /// The statements that make indexes which the model asks for, the store does not have, and this fetch would use.
    package let missingIndexes: [String]

    package init(outline: PushedOutline, questions: [Question], outcome: Outcome?, missingIndexes: [String]) {
        self.outline = outline
        self.questions = questions
        self.outcome = outcome
        self.missingIndexes = missingIndexes
    }

    /// The rows that the server looked at for the last question; nil where it was only planned.
    package var examined: Int? { outcome.flatMap { _ in questions.last?.plan.examined } }

    /// The rows that the server sent for the last question; nil where it was only planned.
    package var sent: Int? { outcome.flatMap { _ in questions.last?.plan.root?.rows.map { Int($0) } } }
}

/// A server's plan for a statement, as a tree.
package struct ServerPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// The type of the step, such as `Index Scan`.
        package let kind: String
        package let table: String?
        package let index: String?
        /// What the index is asked, without values.
        package let condition: String?
        /// How many rows the server expects of it.
        package let expected: Double
        /// How many rows came of it, all repetitions together; nil where the statement was only planned.
        package let rows: Double?
        /// How many rows it looked at and left out.
        package let leftOut: Double
        package let parts: [Step]

        package init(
            kind: String, table: String?, index: String?, condition: String?, expected: Double, rows: Double?,
            leftOut: Double, parts: [Step]
        ) {
            self.kind = kind
            self.table = table
            self.index = index
            self.condition = condition
            self.expected = expected
            self.rows = rows
            self.leftOut = leftOut
            self.parts = parts
        }

        /// The step as a line.
        package var detail: String {
            var text = kind
            if let index { text += " by \(index)" }
            if let table { text += " of \(table)" }
            if let condition { text += " (\(condition))" }
            guard let rows else { return text + ": about \(Int(clamping: expected)) rows" }
            return text + ": \(Int(clamping: rows)) rows" + (leftOut > 0 ? ", \(Int(clamping: leftOut)) left out" : "")
        }

        var all: [Step] { [self] + parts.flatMap(\.all) }
    }

    /// Nil where the server's plan could not be read.
    package let root: Step?

    package init(root: Step?) { self.root = root }

    /// The indexes that are used, each once.
    package var indexes: [String] {
        var seen: Set<String> = []
        return (root?.all ?? []).compactMap(\.index).filter { seen.insert($0).inserted }
    }

    /// The rows of tables that were looked at; nil where the statement was only planned.
    package var examined: Int? {
        guard let root, root.rows != nil else { return nil }
        return Int(clamping: root.all.filter { $0.table != nil }.reduce(0) { $0 + ($1.rows ?? 0) + $1.leftOut })
    }

    /// The plan as a drawn tree.
    package var lines: [String] { root.map { Self.lines(of: $0, first: "", rest: "") } ?? ["unknown"] }

    private static func lines(of step: Step, first: String, rest: String) -> [String] {
        var lines = [first + step.detail]
        for (number, part) in step.parts.enumerated() {
            let isLast = number == step.parts.count - 1
            lines += Self.lines(
                of: part, first: rest + (isLast ? "`--" : "|--"), rest: rest + (isLast ? "   " : "|  "))
        }
        return lines
    }
}

extension Int {
    /// The nearest integer to a number of rows.
    fileprivate init(clamping count: Double) { self = Int(exactly: Swift.min(count, 0x1p53).rounded()) ?? 0 }
}

/// A store on a server that says how it carries out a fetch.
package protocol ServerExplaining: AnyObject {
    /// Explains how a fetch is carried out; nothing is written.
    ///
    /// - Parameter isCarriedOut: whether the fetch runs, to count rows; otherwise it is only planned.
    /// - Throws: `NSCoreDataError` for a query without SQL, and the server's errors.
    func explain(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation
}

extension ServerExplanation {
    /// Whether the server cuts the window; of a query with rows that may be in doubt it cuts the end.
    package var isCutByServer: Bool {
        outline.pushed.isWindowed || (outline.pushed.flagged != nil && questions.count == 1)
    }
}
