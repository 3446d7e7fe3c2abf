import CoreData
import Synchronization

/// A JSON file of budgets: the counts that operations of a program may have, by the operations' names.
///
/// A run with `OPENCOREDATA_BUDGETS=write` in the environment writes what was counted; every other run compares.
public struct BudgetFile: Sendable {
    /// The greatest counts of an operation.
    public struct Budget: Codable, Sendable, Equatable {
        /// The statements that read or write records.
        public var statements: Int
        /// The faults that read the store.
        public var faults: Int
        /// The rows that statements returned or changed.
        public var rows: Int

        /// Makes a budget.
        public init(statements: Int, faults: Int, rows: Int) {
            (self.statements, self.faults, self.rows) = (statements, faults, rows)
        }

        init(_ activity: StoreActivity) {
            self.init(
                statements: activity.statements.count, faults: activity.faults.count,
                rows: activity.statements.reduce(0) { $0 + $1.rows })
        }

        /// What is above another budget, such as `3 statements of 1`.
        func excess(over limit: Budget) -> [String] {
            [
                ("statements", statements, limit.statements), ("faults", faults, limit.faults),
                ("rows", rows, limit.rows),
            ].compactMap { $1 > $2 ? "\($1) \($0), the budget is \($2)" : nil }
        }
    }

    /// The name of the environment variable that lets a run write budgets.
    public static let variable = "OPENCOREDATA_BUDGETS"
    /// Locked while a file is read and written: tests run in parallel.
    private static let writing = Mutex(())

    /// Where the file is.
    public let url: URL

    /// Names a file, which need not exist.
    public init(_ url: URL) { self.url = url }

    /// A file beside the source of a test, `Budgets.json` unless named otherwise, which belongs into version control.
    public static func besideTest(_ name: String = "Budgets.json", file: String = #filePath) -> BudgetFile {
        BudgetFile(URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name))
    }

    /// The budgets in the file, by name; none if there is no file.
    ///
    /// - Throws: `TestingError` with `badBudget` for a file that cannot be read.
    public func budgets() throws -> [String: Budget] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
        do {
            return try JSONDecoder().decode([String: Budget].self, from: Data(contentsOf: url))
        } catch {
            throw TestingError(
                .badBudget,
                "The budgets in '\(url.path)' cannot be read: \(error). Correct the file, or write it again "
                    + "with \(Self.variable)=write.")
        }
    }

    /// Sets the budget of an operation and leaves the others as they are.
    ///
    /// - Throws: `TestingError` with `badBudget`.
    public func set(_ budget: Budget, for name: String) throws {
        try Self.writing.withLock { _ in
            var all = try budgets()
            all[name] = budget
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            do {
                try (encoder.encode(all) + Data("\n".utf8)).write(to: url, options: .atomic)
            } catch {
                throw TestingError(.badBudget, "The budgets cannot be written to '\(url.path)': \(error)")
            }
        }
    }
}
