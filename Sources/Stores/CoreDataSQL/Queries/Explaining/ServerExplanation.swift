import CoreDataStore

/// How a store on a server carries out a fetch: what the server evaluates, the statements sent to it, and its plans.
package struct ServerExplanation: Sendable {
    /// A statement and the server's plan for it.
    package struct Question: Sendable {
        package let query: CompiledQuery
        package let plan: ServerPlan
        /// The statement with a short text in place of the long expression of each folded text index.
        package let abbreviatedSQL: String
        /// Each short text and the index that it stands for.
        package let abbreviations: [Abbreviation]

        /// - Parameter indexes: the folded text indexes of the database; the last argument is the dialect of the
        ///   statement.
        package init(query: CompiledQuery, plan: ServerPlan, indexes: [IndexDefinition], _ dialect: SQLDialect) {
            self.query = query
            self.plan = plan
            let (text, columns) = FoldedKey.abbreviated(query.sql)
            abbreviatedSQL = text
            abbreviations = columns.compactMap { column in
                let parts = column.split(separator: ".", maxSplits: 1).map(String.init)
                // The statement names the table before its alias.
                let index = indexes.first { index in
                    parts.count == 2 && index.elements.map { SQLIdentifier.quoted($0.column) } == [parts[1]]
                        && query.sql.contains("\(dialect.table(index.table)) \(parts[0])")
                }
                return index.map { Abbreviation(text: FoldedKey.short(column), index: $0.name) }
            }
        }
    }

    /// A short text that replaces the expression of an index.
    package struct Abbreviation: Sendable, Equatable {
        package let text: String
        package let index: String
    }

    /// The numbers of rows of a fetch that was carried out.
    package struct Outcome: Sendable, Equatable {
        /// The number of rows in the result.
        package let answered: Int
        /// The number of rows on which the predicate was evaluated in memory.
        package let evaluated: Int

        package init(answered: Int, evaluated: Int) {
            self.answered = answered
            self.evaluated = evaluated
        }
    }

    package let outline: PushedOutline
    /// The queries for rows, in the order of execution. The second is sent only if a row was in doubt.
    package let questions: [Question]
    /// Nil for a fetch that was only planned.
    package let outcome: Outcome?
    /// The statements that create indexes that the model has, the database lacks, and this fetch would use.
    package let missingIndexes: [String]

    package init(outline: PushedOutline, questions: [Question], outcome: Outcome?, missingIndexes: [String]) {
        self.outline = outline
        self.questions = questions
        self.outcome = outcome
        self.missingIndexes = missingIndexes
    }

    /// The number of rows that the server scanned for the last statement; nil if the fetch was only planned.
    package var examined: Int? { outcome.flatMap { _ in questions.last?.plan.examined } }

    /// The number of rows that the server returned for the last statement; nil if the fetch was only planned.
    package var sent: Int? { outcome.flatMap { _ in questions.last?.plan.root?.rows.map { Int($0) } } }
}

/// A server's plan for a statement, as a tree.
package struct ServerPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// The type of the step, such as `Index Scan`.
        package let kind: String
        package let table: String?
        package let index: String?
        /// The condition for which the index is searched, without values.
        package let condition: String?
        /// The number of rows that the server's planner expects.
        package let expected: Double
        /// The number of rows that the step returned in all its executions; nil if the statement was only planned.
        package let rows: Double?
        /// The number of rows that the step scanned and filtered out.
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

        /// The step as one line of text.
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

    /// The root of the plan; nil if the server's plan could not be read.
    package let root: Step?

    package init(root: Step?) { self.root = root }

    /// The names of the indexes that the plan uses, each once.
    package var indexes: [String] {
        var seen: Set<String> = []
        return (root?.all ?? []).compactMap(\.index).filter { seen.insert($0).inserted }
    }

    /// The number of table rows that were scanned; nil if the statement was only planned.
    package var examined: Int? {
        guard let root, root.rows != nil else { return nil }
        return Int(clamping: root.all.filter { $0.table != nil }.reduce(0) { $0 + ($1.rows ?? 0) + $1.leftOut })
    }

    /// The lines of the plan drawn as a tree.
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

/// A store on a server that can explain how it carries out a fetch.
package protocol ServerExplaining: AnyObject {
    /// Explains how a fetch is carried out; nothing is written to the store.
    ///
    /// - Parameter isCarriedOut: whether the fetch runs, to count rows; otherwise it is only planned.
    /// - Throws: `NSCoreDataError` for a query without SQL, and the server's errors.
    func explain(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation
}

extension ServerExplanation {
    /// Whether the server applies limit and offset; if rows may be in doubt, the server applies only the limit.
    package var isCutByServer: Bool {
        outline.pushed.isWindowed || (outline.pushed.flagged != nil && questions.count == 1)
    }
}
