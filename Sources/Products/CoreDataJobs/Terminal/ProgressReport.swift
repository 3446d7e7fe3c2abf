import Foundation

/// What a progress line shows at one moment. As JSON it is one object with these names; what is not known is left out.
struct ProgressReport: Encodable {
    var title: String
    var state: JobState
    var completed: Int64
    var total: Int64?
    /// The part that is done, from 0 to 1.
    var fraction: Double?
    /// Units a second.
    var rate: Double?
    /// Seconds until the end at that rate.
    var remaining: Double?
    /// Seconds since the beginning.
    var elapsed: Double
    var message: String?

    private static let barWidth = 24

    /// One line of JSON, without the end of the line.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var rounded = self
        rounded.fraction = fraction.map { ($0 * 10_000).rounded() / 10_000 }
        rounded.rate = rate.map { ($0 * 10).rounded() / 10 }
        rounded.remaining = remaining.map { $0.rounded() }
        rounded.elapsed = (elapsed * 10).rounded() / 10
        guard let data = try? encoder.encode(rounded) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The text of the line: `importing: [####....] 16 %, 1200 of 7500, 350/s, 0:18 left, people.csv`.
    var text: String {
        var parts: [String] = []
        if let fraction {
            let filled = Int(fraction * Double(Self.barWidth))
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
            parts.append("[\(bar)] \(Int(fraction * 100)) %")
        }
        if let total {
            parts.append("\(completed) of \(total)")
        } else if completed > 0 {
            parts.append("\(completed)")
        } else {
            parts.append("\(Int(elapsed)) s")
        }
        if let rate { parts.append(rate >= 10 ? "\(Int64(min(rate, 1e18)))/s" : "\((rate * 10).rounded() / 10)/s") }
        if let remaining { parts.append("\(Self.clock(remaining)) left") }
        if state == .paused { parts.append("paused") }
        if let message { parts.append(message) }
        return "\(title): \(parts.joined(separator: ", "))"
    }

    /// Seconds as `0:05`, `12:00` or `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let all = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (all / 3_600, all / 60 % 60, all % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
