import CoreData
import Synchronization
import TestBasics
import Testing

@testable import CoreDataTesting

@Suite struct BudgetTests {
    private let folder: TemporaryFolder
    private let stack: TestStack
    private var file: BudgetFile { BudgetFile(folder.url.appendingPathComponent("Budgets.json")) }

    init() throws {
        folder = try TemporaryFolder()
        stack = try TestStack(GuildModel.model, .sqlite)
        try stack.make(4, Hero.self)
        try stack.context.save()
        stack.context.reset()
    }

    private func fetch(times: Int) throws {
        for _ in 0..<times { _ = try stack.context.fetch(NSFetchRequest<Hero>(entityName: "Hero")) }
    }

    private var place: FailurePlace { FailurePlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column) }

    @Test("a budget is what the first run counted; more than that fails, less does not (TEST-02)")
    func moreThanBudgetFails() throws {
        try stack.budget("heroes", in: file, isWriting: true, place) { try fetch(times: 2) }
        try stack.budget("teams", in: file, isWriting: true, place) {}
        #expect(try file.budgets()["heroes"] == BudgetFile.Budget(statements: 2, faults: 0, rows: 8))
        try stack.budget("heroes", in: file) { try fetch(times: 1) }
        let text = Mutex("")
        try withKnownIssue {
            try stack.budget("heroes", in: file) { try fetch(times: 3) }
        } matching: { issue in
            text.withLock { $0 = issue.comments.map(\.rawValue).joined() }
            return true
        }
        let message = text.withLock { $0 }
        #expect(message.hasPrefix("heroes: 3 statements, the budget is 2; 12 rows, the budget is 8"), "\(message)")
        #expect(message.contains("statement 3: SELECT"))
    }

    @Test("an operation without a budget, and an unreadable file, are errors that say what to do (TEST-02)")
    func missingBudgetIsError() throws {
        let error = #expect(throws: TestingError.self) { try stack.budget("heroes", in: file) {} }
        #expect(error?.reason.contains("OPENCOREDATA_BUDGETS=write") == true)
        try Data("[1]".utf8).write(to: file.url)
        #expect(throws: TestingError.self) { try stack.budget("heroes", in: file) {} }
        #expect(throws: TestingError.self) {
            try file.set(BudgetFile.Budget(statements: 1, faults: 0, rows: 0), for: "x")
        }
        #expect(try Data(contentsOf: file.url) == Data("[1]".utf8))
    }

    @Test("a measurement has the mean and deviation of its runs, and the counts of one (TEST-02)")
    func measurementHasMeanAndDeviation() throws {
        var runs = 0
        let measured = try stack.measure(runs: 6) {
            runs += 1
            try fetch(times: 2)
        }
        #expect(runs == 7 && measured.durations.count == 6)
        #expect(measured.activity.statements.count == 2)
        #expect(measured.mean > .zero && measured.deviation >= .zero)
        let known = Measurement(
            durations: [.milliseconds(2), .milliseconds(4), .milliseconds(4), .milliseconds(6)],
            activity: StoreActivity())
        #expect(known.mean == .milliseconds(4))
        #expect(abs(known.deviation / .milliseconds(1) - 1.632993) < 0.0001)
        #expect(known.description.hasPrefix("mean 4.000 ms, deviation 1.633 ms (4 runs)"))
    }
}
