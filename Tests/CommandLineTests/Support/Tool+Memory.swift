import CoreData
import TestBasics
import Testing

extension Tool {
    /// The greatest memory that a running process has had, in bytes; nil once it has ended.
    static func peakMemory(of process: Process) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
    }

    /// Runs the program, and looks at its memory until it ends; what it prints is thrown away.
    static func runWatchingMemory(_ arguments: [String]) throws -> (code: Int32, peak: Int) {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var peak = 0
        process.waitUntilExit(within: .seconds(300)) {
            // It only grows, so what it was shortly before the end tells.
            while process.isRunning {
                peak = max(peak, peakMemory(of: process) ?? 0)
                usleep(2_000)
            }
        }
        return (process.terminationStatus, peak)
    }
}
