import Foundation

/// Whether a debugger holds this process.
package enum DebuggerCheck {
    /// How much longer than usual a peer waits for a process that may stand still in a debugger.
    package static let factor = 60.0

    /// Whether another process traces this one, as Linux has it in `/proc/self/status`; false where that is not known.
    package static var isAttached: Bool {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return false }
        return isTraced(text)
    }

    static func isTraced(_ status: String) -> Bool {
        let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0 > 0
    }
}
