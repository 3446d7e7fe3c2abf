import Foundation
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct WatchdogTests {
    private func child(_ arguments: String...) throws -> Child { try Child(arguments, of: Child.url("JobChild")) }

    @Test("a block of the main queue over 50 ms is reported once, with the function that blocks it (CONC-10)")
    func blockWithStack() throws {
        let child = try child("block", "200")
        let first = try #require(child.line())
        let match = try #require(first.firstMatch(of: /^blocked (\d+) ms by the method runLoop$/), "\(first)")
        #expect((Int(match.1) ?? 0) >= 200)
        var stack: [String] = []
        while let line = child.line(), line != "idle" { stack.append(line) }
        #expect(stack.contains { $0.contains("JobChild.blockMainQueue") }, "\(stack)")
        #expect(stack.contains { $0.contains("RunLoop.run") }, "\(stack)")
        guard case .silence = child.word(within: 200) else {
            Issue.record("more than one report")
            return
        }
        child.kill()
    }

    @Test("a short block is not reported (CONC-10)")
    func shortBlock() throws {
        let child = try child("block", "1")
        // A machine that is busy may stop the process for longer, and then the report is right.
        if case .line(let line) = child.word(within: 300) { #expect(line.hasPrefix("blocked")) }
        child.kill()
    }

    @Test("after dispatchMain() a block is reported too, without a stack (CONC-10)")
    func pings() throws {
        let child = try child("pings", "300")
        let first = try #require(child.line())
        #expect(first.firstMatch(of: /^blocked \d+ ms by the method pings$/) != nil, "\(first)")
        #expect(child.line() == "idle")
        child.kill()
    }

    @Test("an idle process under the watchdog is never woken (CONC-10)")
    func idle() throws {
        let child = try child("idle")
        let pid = try #require(child.line()?.split(separator: " ").last)
        func switches() throws -> [String: String] {
            var found: [String: String] = [:]
            for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
                let status = try String(contentsOfFile: "/proc/\(pid)/task/\(task)/status", encoding: .utf8)
                found[task] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined(
                    separator: " ")
            }
            return found
        }
        // Until the monitor and the threads of Dispatch have come to rest.
        var before = try switches()
        for _ in 0..<60 {
            Thread.sleep(forTimeInterval: 0.5)
            let now = try switches()
            if now == before { break }
            before = now
        }
        Thread.sleep(forTimeInterval: 2)
        #expect(try switches() == before)
        child.kill()
    }
}
