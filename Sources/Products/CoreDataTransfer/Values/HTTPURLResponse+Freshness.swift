import Foundation
import FoundationNetworking

extension HTTPURLResponse {
    /// The directives of `Cache-Control`, in lower case.
    var cacheDirectives: [String] {
        (value(forHTTPHeaderField: "Cache-Control") ?? "").lowercased().split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The seconds for which the response says that there is nothing newer (RFC 9111, 4.2 and 5.2.2), 0 if it is to be asked for each
    /// time; nil if it says nothing.
    package func freshness(at now: Date) -> TimeInterval? {
        let directives = cacheDirectives
        if directives.contains("no-cache") || directives.contains("no-store") { return 0 }
        let seconds: TimeInterval
        if let stated = directives.first(where: { $0.hasPrefix("max-age=") }) {
            let age = value(forHTTPHeaderField: "Age").flatMap { Double($0) } ?? 0
            seconds = (Double(stated.dropFirst("max-age=".count)) ?? 0) - max(0, age)
        } else if let text = value(forHTTPHeaderField: "Expires") {
            seconds = HTTPDate.date(text)?.timeIntervalSince(now) ?? 0
        } else {
            return nil
        }
        return seconds.isFinite ? max(0, seconds) : 0
    }
}
