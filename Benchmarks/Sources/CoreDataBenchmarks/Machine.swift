import CRawBaseline
import CoreData

/// What the figures were taken on.
enum Machine {
    static var line: String {
        let information = ProcessInfo.processInfo
        return [
            processor ?? "unknown processor",
            "\(information.activeProcessorCount) cores",
            information.operatingSystemVersionString,
            information.environment["BENCH_SWIFT"] ?? "unknown Swift version",
            "SQLite \(String(cString: raw_sqlite_version()))",
        ].joined(separator: "; ")
    }

    private static var processor: String? {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
