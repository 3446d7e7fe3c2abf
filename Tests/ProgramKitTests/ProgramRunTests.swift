import Foundation
import ProgramKit
import Testing

/// Child processes with limits (MEDIA-13: what decodes a hostile file costs its own result, never this process).
@Suite struct ProgramRunTests {
    private let shell = HelperProgram("sh", package: "dash")

    @Test("MEDIA-13: a program's output, errors and status come back, and its input reaches it")
    func outputInputAndStatus() throws {
        let input = Data(repeating: 120, count: 3_000_000)
        let output = try shell.run(["-c", "wc -c; echo problem >&2; exit 7"], input: input)
        #expect(output.text.trimmingCharacters(in: .whitespaces) == "3000000\n")
        #expect(output.standardError == "problem\n")
        #expect(output.status == 7)
        let copied = try HelperProgram("cat", package: "coreutils").run([], input: input)
        #expect(copied.standardOutput == input)
    }

    @Test("MEDIA-13: a program that does not read its input costs no signal")
    func unreadInput() throws {
        #expect(
            try shell.run(["-c", "exec <&-; sleep 0.1; echo done"], input: Data(count: 5_000_000)).text == "done\n")
    }

    @Test("MEDIA-13: a program that hangs is ended with what it started")
    func timeLimit() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ProgramRunTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var limits = ProgramLimits()
        limits.seconds = 0.5
        let failure = #expect(throws: ProgramFailure.self) {
            try shell.run(["-c", "sleep 300 & echo $! > child; wait"], folder: folder, limits: limits)
        }
        #expect(failure?.reason == .timeLimit(0.5))
        let child = try #require(
            Int32(
                String(contentsOf: folder.appendingPathComponent("child"), encoding: .utf8).trimmingCharacters(
                    in: .newlines)))
        var checks = 0
        // The grandchild is reaped by the system's first process, which may take a moment; a zombie is ended too.
        while isRunning(child), checks < 200 {
            usleep(20_000)
            checks += 1
        }
        #expect(!isRunning(child))
    }

    private func isRunning(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    @Test("MEDIA-13: too much output, memory or processor time ends a program")
    func otherLimits() throws {
        var limits = ProgramLimits()
        limits.output = 100_000
        let output = #expect(throws: ProgramFailure.self) { try shell.run(["-c", "yes"], limits: limits) }
        #expect(output?.reason == .outputLimit(100_000))
        limits = ProgramLimits()
        limits.processorSeconds = 1
        let processor = #expect(throws: ProgramFailure.self) {
            try shell.run(["-c", "while :; do :; done"], limits: limits)
        }
        #expect(processor?.reason == .signal(SIGXCPU) || processor?.reason == .signal(SIGKILL))
        limits = ProgramLimits()
        limits.memory = 64 << 20
        let memory = try HelperProgram("head", package: "coreutils").run(
            ["-c", "-100000000", "/dev/zero"], limits: limits)
        #expect(memory.status != 0 && memory.standardError.contains("memory"))
        limits = ProgramLimits()
        limits.fileSize = 1 << 16
        let file = try shell.run(
            ["-c", "trap '' XFSZ; head -c 1000000 /dev/zero > file; wc -c < file"], limits: limits)
        #expect(file.text.trimmingCharacters(in: .whitespacesAndNewlines) == "65536")
    }

    @Test("MEDIA-13: a program has no descriptor and no variable of this process but a few")
    func isolation() throws {
        let secret = open("/dev/null", O_RDONLY)
        defer { close(secret) }
        let output = try shell.run(
            ["-c", "ls /proc/self/fd | wc -l; env | cut -d= -f1 | sort | tr '\\n' ' '"], environment: ["OWN": "1"])
        let lines = output.text.split(separator: "\n")
        // Three streams, and the folder that `ls` reads.
        #expect(lines.first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } == 4)
        #expect(
            Set(lines.dropFirst().joined().split(separator: " ")).isSubset(of: [
                "HOME", "LANG", "OWN", "PATH", "PWD", "TMPDIR", "_", "OLDPWD", "SHLVL",
            ]))
    }

    @Test("MEDIA-13: a missing program is named with its package")
    func missing() {
        let program = HelperProgram("no-such-program", package: "no-such-package")
        let failure = #expect(throws: ProgramFailure.self) { try program.run([]) }
        #expect(
            failure?.description == "'no-such-program' is not installed; 'apt-get install no-such-package' installs it")
    }

    @Test("MEDIA-13: a cancelled task ends its program")
    func cancellation() async throws {
        let shell = shell
        let task = Task { try await shell.output(["-c", "sleep 300"]) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("MEDIA-13: many programs at once give each its own output")
    func manyAtOnce() async throws {
        let shell = shell
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await shell.output(["-c", "cat; echo \(number)"], input: Data("\(number) ".utf8)).text
                        == "\(number) \(number)\n"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
