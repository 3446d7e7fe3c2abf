import CoreData
import StoreContract
import TestBasics
import Testing

/// Statements of SQL as messages, each time in a process of its own.
@Suite struct StatementMessageTests {
    @Test("a handler gets each statement of SQL as a message, and standard error gets none (TOOL-18)")
    func handlerGetsStatements() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("com.apple.CoreData.SQLDebug", "1", 1)
            let lock = NSLock()
            nonisolated(unsafe) var found: [CoreDataLogging.Message] = []
            CoreDataLogging.handler = { message in lock.withLock { found.append(message) } }
            let stack = try HeroModel.stack()
            _ = try stack.context.all("Hero")
            let messages = lock.withLock { found }.filter { $0.metadata["category"] == "sql" }
            #expect(messages.contains { $0.text.hasPrefix("sql: SELECT") && $0.text.contains("ZHERO") })
            #expect(messages.allSatisfy { $0.level == .debug && $0.description == "CoreData: \($0.text)" })
        }
        #expect(result.standardErrorText.isEmpty)
    }
}
