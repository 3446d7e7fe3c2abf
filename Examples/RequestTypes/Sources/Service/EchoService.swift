import Foundation
import LoopbackService

/// The service: says by which method and as what the parameters came.
enum EchoService {
    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.method {
        case "GET": return echo("GET", request.query)
        case "POST":
            let type = request.headers["content-type"] ?? ""
            guard type.hasPrefix("application/x-www-form-urlencoded") else {
                return .refusal(415, "A form is wanted, not '\(type)'.")
            }
            return echo("POST", request.form)
        default: return .refusal(405, "GET or POST is wanted.")
        }
    }

    private static func echo(_ method: String, _ parameters: [String: String]) -> HTTPResponse {
        let lines = parameters.sorted { $0.key < $1.key }.map { "\(method) \($0.key) = \($0.value)\n" }
        return .content(Data(lines.joined().utf8), "text/plain; charset=utf-8")
    }
}
