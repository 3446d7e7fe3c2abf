import CoreDataJobs
import Foundation
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProgressLineTests {
    private static let erase = "\r\u{1B}[K"
    private let time = TestClock()
    private let log = Log<String>()

    private func line(
        _ title: String = "importing", total: Int64 = 0, form: ProgressForm = .line, isTerminal: Bool = true,
        width: Int = 120
    ) -> ProgressLine {
        ProgressLine(
            title, total: total, form: form,
            output: ProgressOutput(isTerminal: isTerminal, width: { width }, write: { [log] in log.append($0) }),
            clock: time.clock)
    }

    /// What was drawn last, without the sequence that erases the line.
    private var drawn: String { String((log.all.last ?? "").dropFirst(Self.erase.count)) }

    private func objects() throws -> [[String: Any]] {
        try log.all.map { text in
            #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"))
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
    }

    @Test("a line has bar, percent, counts, rate and remaining time, and is gone at the end (TOOL-24, CONC-06)")
    func contents() {
        let line = line(total: 1_000)
        line.update(0)
        for second in 1...10 {
            time.advance(by: .milliseconds(500))
            line.update(Int64(second * 50), message: "people.csv")
            time.advance(by: .milliseconds(500))
        }
        #expect(
            drawn == "importing: [############............] 50 %, 500 of 1000, 50/s, 0:10 left, people.csv", "\(drawn)")
        line.finish()
        #expect(log.all.last == Self.erase)
        let count = log.all.count
        line.update(1_000)
        line.finish()
        time.advance(by: .seconds(60))
        #expect(log.all.count == count)
    }

    @Test("short work shows no line, and longer work at most five a second (TOOL-24)")
    func drawingRate() {
        let line = line(total: 100_000)
        for number in 0..<199 {
            line.update(Int64(number))
            time.advance(by: .milliseconds(10))
        }
        #expect(log.all.isEmpty)
        for number in 199..<1_000 {
            line.update(Int64(number))
            time.advance(by: .milliseconds(10))
        }
        #expect((38...41).contains(log.all.count), "\(log.all.count)")
        #expect(log.all.allSatisfy { $0.hasPrefix(Self.erase) && !$0.contains("\n") })
    }

    @Test("short work that finishes has written nothing")
    func shortWork() {
        line(total: 10).showing { $0.update(10) }
        #expect(log.all.isEmpty)
    }

    @Test("the rate is that of the last while, and work that begins again has a new one")
    func rate() throws {
        let line = line(total: 100_000, form: .json)
        for second in 1...60 {
            time.advance(by: .milliseconds(500))
            line.update(Int64(second <= 30 ? second * 1_000 : 30_000 + (second - 30) * 10))
            time.advance(by: .milliseconds(500))
        }
        var last = try #require(objects().last)
        #expect(last["rate"] as? Double == 10)
        #expect(last["remaining"] as? Double == 6_970)
        line.update(5)
        time.advance(by: .seconds(1))
        last = try #require(objects().last)
        #expect(last["rate"] == nil || last["rate"] as? Double == 0)
        #expect(last["remaining"] == nil)
    }

    @Test("work whose units are not known shows its count, and without one the seconds, while no update comes")
    func unknownTotal() {
        let line = line("checking")
        time.advance(by: .seconds(3))
        #expect(drawn == "checking: 3 s, 0.0/s", "\(drawn)")
        line.update(12_000)
        time.advance(by: .seconds(1))
        #expect(drawn.hasPrefix("checking: 12000, "), "\(drawn)")
    }

    @Test("as JSON there is an object each second and one at the end, also when no terminal is there (CONC-06)")
    func json() throws {
        let line = line("im/porting \"a\"", total: 40, form: .json, isTerminal: false)
        for number in 1...35 {
            line.update(Int64(number), message: "a\nb")
            time.advance(by: .milliseconds(100))
        }
        line.finish()
        let objects = try objects()
        #expect(objects.count == 4)
        #expect(objects.map { $0["completed"] as? Int } == [10, 20, 30, 35])
        #expect(objects.map { $0["state"] as? String } == ["running", "running", "running", "finished"])
        #expect(objects.map { $0["elapsed"] as? Double } == [1, 2, 3, 3.5])
        #expect(objects.allSatisfy { $0["total"] as? Int == 40 && $0["title"] as? String == "im/porting \"a\"" })
        #expect(objects[1]["fraction"] as? Double == 0.5 && objects[1]["message"] as? String == "a?b")
        #expect(objects[2]["rate"] as? Double == 9.7 && objects[2]["remaining"] as? Double == 1)
    }

    @Test("work that fails or is cancelled says so in the last object")
    func lastState() throws {
        #expect(throws: Refusal.self) { try line(form: .json).showing { _ in throw Refusal() } }
        #expect(throws: CancellationError.self) { try line(form: .json).showing { _ in throw CancellationError() } }
        do { _ = line(form: .json) }
        #expect(try objects().map { $0["state"] as? String } == ["failed", "cancelled", "failed"])
    }

    @Test("nothing is written without a terminal, or if nothing is asked for", arguments: [ProgressForm.line, .none])
    func silent(form: ProgressForm) {
        let line = line(total: 10, form: form, isTerminal: form == .none)
        time.advance(by: .seconds(10))
        line.update(5)
        line.clear()
        line.finish()
        #expect(log.all.isEmpty && time.waitingCount == 0)
    }

    @Test("a line is cut to the width of the terminal, whose last column stays free", arguments: [1, 2, 20, 40, 79])
    func width(columns: Int) {
        let line = line("importing 東京 👩‍👩‍👧 e\u{301}", total: 10, width: columns)
        time.advance(by: .milliseconds(3_300))
        line.update(5, message: "a message that is longer than what is left of the columns")
        let columnsOf = drawn.reduce(0) { $0 + ($1.isASCII || $1 == "…" || $1 == "e\u{301}" ? 1 : 2) }
        #expect(columnsOf <= max(0, columns - 1), "\(drawn)")
        #expect(columns < 2 || drawn.hasSuffix("…"))
    }

    @Test("titles and messages cannot change the terminal")
    func harmless() {
        let line = line("im\u{1B}]0;porting\u{7}", total: 10)
        time.advance(by: .seconds(3))
        line.update(5, message: "a\u{202E}b\rc\u{9B}2J")
        #expect(
            drawn.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x9B && $0.value != 0x202E }, "\(drawn)")
    }

    @Test("a line that is cleared for other output appears again with the next update")
    func clear() {
        let line = line(total: 10)
        time.advance(by: .seconds(3))
        line.update(5)
        line.clear()
        #expect(log.all.last == Self.erase)
        line.clear()
        let count = log.all.count
        time.advance(by: .milliseconds(200))
        line.update(6)
        #expect(log.all.count == count + 1 && drawn.contains("6 of 10"))
    }

    @Test("a line shows Foundation's progress, and a parent by its fraction (CONC-06)")
    func foundationProgress() {
        let line = line()
        time.advance(by: .milliseconds(3_300))
        let parent = Progress(totalUnitCount: 2)
        let child = Progress.discreteProgress(totalUnitCount: 100)
        parent.addChild(child, withPendingUnitCount: 1)
        child.completedUnitCount = 50
        line.update(parent)
        #expect(drawn.contains("] 25 %"), "\(drawn)")
        time.advance(by: .seconds(1))
        line.update(child)
        #expect(drawn.contains("50 of 100"), "\(drawn)")
        time.advance(by: .seconds(1))
        line.update(Progress.discreteProgress(totalUnitCount: -1))
        #expect(!drawn.contains("["), "\(drawn)")
    }

    @Test("a line follows a job to its end (CONC-06)")
    func follow() throws {
        let line = line(form: .json)
        let time = time
        let job = Job("Import", total: 10, clock: time.clock) { handle in
            try handle.advance(by: 4)
            throw Refusal()
        }
        line.follow(job)
        #expect(throws: Refusal.self) { try job.runInPlace() }
        eventually("the last object") { !log.all.isEmpty }
        let last = try #require(objects().last)
        #expect(last["state"] as? String == "failed" && last["completed"] as? Int == 4 && last["total"] as? Int == 10)
    }

    @Test("a pause is shown")
    func paused() {
        let line = line(total: 10)
        let job = Job("Import", total: 10) { _ in }
        job.pause()
        time.advance(by: .milliseconds(3_300))
        line.update(job.snapshot)
        #expect(drawn.contains("paused"), "\(drawn)")
    }

    @Test("numbers at the ends of their ranges are shown", arguments: [Int64.max, .min, -1, 0, 1])
    func extremes(number: Int64) throws {
        let lines = [line(total: number), line(total: number, form: .json)]
        for second in [3, 1] {
            for line in lines {
                line.update(second == 3 ? 0 : number, of: number)
                line.update(number, of: .max)
            }
            time.advance(by: .seconds(second))
        }
        for line in lines { line.finish() }
        #expect(!log.all.isEmpty)
    }

    @Test("standard error of a process without a terminal has JSON if asked for, and else nothing")
    func standardError() throws {
        for (form, expected) in [("json", 2), ("line", 0), ("none", 0)] {
            let errors = Pipe()
            let child = try Child(["progress", form], of: Child.url("JobChild"), errors: errors.fileHandleForWriting)
            try errors.fileHandleForWriting.close()
            let lines = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
                separator: "\n")
            #expect(child.lines().isEmpty && child.status() == 0)
            #expect(lines.count >= expected && (expected > 0 || lines.isEmpty), "\(lines)")
            #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        }
    }

    private static let script = ["/usr/bin/script", "/bin/script"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        "on a terminal the line is drawn on standard error, cut to its columns, and gone at the end",
        .enabled(if: script != nil))
    func terminal() throws {
        let program = Child.url("JobChild").path
        let child = try Child(
            ["-c", "\(try #require(Self.script)) -qefc \"stty cols 60; '\(program)' progress line\" /dev/null; echo"],
            of: URL(fileURLWithPath: "/bin/sh"), environment: ["TERM": "xterm", "COLUMNS": ""])
        let text = child.lines().joined(separator: "\n")
        let parts = text.components(separatedBy: Self.erase)
        #expect(parts.count > 3 && parts.last?.contains("counting") == false, "\(text)")
        #expect(parts.dropFirst().dropLast().allSatisfy { $0.count <= 59 && $0.hasPrefix("counting: [") })
        #expect(parts.contains { $0.hasSuffix("…") })
    }
}
