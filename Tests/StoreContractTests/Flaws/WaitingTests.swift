import Dispatch
import Foundation
import TestBasics
import Testing

/// What tests wait with comes to an end, and says what it waited for.
@Suite struct WaitingTests {
    private func isAwaited(_ issue: Issue, _ words: String) -> Bool {
        issue.comments.contains { $0.rawValue.contains("waited 0.02 seconds in vain for this: \(words)") }
    }

    @Test("A condition that comes to hold ends the wait, on a thread and in a task") func conditionHolds() async {
        var asked = 0
        let isThere = await eventually("the third question") {
            asked += 1
            return asked == 3
        }
        #expect(isThere && asked == 3)
        #expect(onThisThread { asked > 2 })
    }

    private func onThisThread(_ condition: () -> Bool) -> Bool {
        eventually("nothing", within: .milliseconds(20), condition)
    }

    @Test("A condition that never holds is an issue that names it, once the limit is over") func limitIsOver() async {
        await withKnownIssue {
            let isThere = await eventually("rain", within: .milliseconds(20)) { false }
            #expect(!isThere, "not in vain")
        } matching: {
            isAwaited($0, "rain")
        }
        withKnownIssue {
            _ = onThisThread { false }
        } matching: {
            isAwaited($0, "nothing")
        }
    }

    @Test("Semaphores, groups and processes are awaited within a limit") func boundedWaits() throws {
        let group = DispatchGroup()
        group.enter()
        withKnownIssue {
            DispatchSemaphore(value: 0).wait(for: "a signal", within: .milliseconds(20))
        } matching: {
            isAwaited($0, "a signal")
        }
        withKnownIssue {
            group.wait(for: "a leave", within: .milliseconds(20))
        } matching: {
            isAwaited($0, "a leave")
        }
        group.leave()
        #expect(group.wait(for: "a leave", within: .milliseconds(20)))
        let process = Process()
        process.executableURL = try Toolchain.url("sleep")
        process.arguments = ["1000"]
        try process.run()
        withKnownIssue {
            process.waitUntilExit(within: .milliseconds(20))
        } matching: {
            isAwaited($0, "the end of sleep 1000")
        }
        #expect(!process.isRunning && process.terminationReason == .uncaughtSignal)
    }
}
