import CoreDataFoundation
import Synchronization
import TestBasics
import Testing

/// The handler is one of the whole process, so each test that sets it runs in a process of its own.
@Suite struct LoggingTests {
    /// Messages that a handler was given.
    private final class Messages: Sendable {
        private let all = Mutex<[CoreDataLogging.Message]>([])
        func add(_ message: CoreDataLogging.Message) { all.withLock { $0.append(message) } }
        var list: [CoreDataLogging.Message] { all.withLock { $0 } }
    }

    @Test("without a handler a message is one line on standard error, with its level before it")
    func messagesAreLinesOnStandardError() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoreDataLogging.report(.warning, "the log grows", metadata: [CoreDataLogging.MetadataKey.store: "/a"])
            CoreDataLogging.report(.error, "it cannot be read")
            CoreDataLogging.report(.debug, "SELECT 1", prefix: "CoreData: sql: ")
            CoreDataLogging.report(.debug, "as it is", prefix: "")
        }
        #expect(
            result.standardErrorText == """
                CoreData: warning: the log grows
                CoreData: error: it cannot be read
                CoreData: sql: SELECT 1
                as it is

                """)
    }

    @Test("a handler gets level, text and metadata of each message, and standard error gets nothing")
    func handlerReplacesStandardError() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let messages = Messages()
            CoreDataLogging.handler = { messages.add($0) }
            CoreDataLogging.report(.warning, "the log grows", metadata: [CoreDataLogging.MetadataKey.store: "/a"])
            CoreDataLogging.report(.error, "it cannot be read")
            let list = messages.list
            #expect(list.map(\.level) == [.warning, .error])
            #expect(list.map(\.text) == ["the log grows", "it cannot be read"])
            #expect(list.map(\.metadata) == [["store": "/a"], [:]])
            #expect(list.first?.description == "CoreData: warning: the log grows")
        }
        #expect(result.standardErrorText.isEmpty)
    }

    @Test("a handler that is taken away leaves messages to standard error, and may write there itself")
    func handlerCanBeTakenAway() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoreDataLogging.handler = { message in
                if message.level >= .error { CoreDataLogging.writeToStandardError(message) }
            }
            CoreDataLogging.report(.warning, "not seen")
            CoreDataLogging.report(.error, "seen")
            CoreDataLogging.handler = nil
            CoreDataLogging.report(.warning, "seen again")
        }
        #expect(result.standardErrorText == "CoreData: error: seen\nCoreData: warning: seen again\n")
    }

    @Test("a message to a closed standard error stops nothing")
    func closedStandardErrorStopsNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            close(STDERR_FILENO)
            CoreDataLogging.report(.error, "to nobody")
            exit(7)
        }
    }

    @Test("a handler may replace itself, and log through the library again")
    func handlerMayReplaceItself() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoreDataLogging.handler = { message in
                CoreDataLogging.handler = nil
                CoreDataLogging.report(.error, message.text)
            }
            CoreDataLogging.report(.warning, "once")
        }
        #expect(result.standardErrorText == "CoreData: error: once\n")
    }

    @Test("a warning that is reported once is known by its text")
    func repeatedWarningIsReportedOnce() {
        let text = "a warning of the tests, reported once"
        #expect(
            [CoreDataLogging.reportOnce(.warning, text), CoreDataLogging.reportOnce(.warning, text)] == [true, false])
    }

    @Test("the warning about a format string has the text that it always had, and reaches the handler")
    func formatWarningGoesThroughTheHandler() async {
        let text =
            "Predicate format: the token inside the quotes at character 8 is taken literally; write it without quotes to "
            + "insert an argument"
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let messages = Messages()
            _ = NSPredicate(format: "name = '%@'")
            CoreDataLogging.handler = { messages.add($0) }
            _ = NSPredicate(format: "name = '%@' AND age > 3")
            CoreDataLogging.handler = nil
            #expect(messages.list.map(\.level) == [.warning])
            messages.list.forEach(CoreDataLogging.writeToStandardError)
        }
        #expect(result.standardErrorText == "\(text)\n\(text)\n")
    }
}
