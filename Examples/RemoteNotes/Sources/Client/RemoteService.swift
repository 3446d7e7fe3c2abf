import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks the service, one question after the other.
struct RemoteService: Sendable {
    /// The space: scheme, host, port, and one part of a path.
    let url: URL
    let session: URLSession

    init(url: URL, timeout: TimeInterval) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout * 4
        session = URLSession(configuration: configuration)
    }

    /// What the service answered.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        var object: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
    }

    private final class Box: @unchecked Sendable { var result: Result<Answer, any Error>? }

    /// Carries out a request; statuses in `allowed` are answers, all others from 400 on errors.
    ///
    /// - Throws: an error with the service's own reason, or one that says why it cannot be reached.
    func ask(
        _ method: String, _ path: String, query: [String: String] = [:], body: Data? = nil,
        allowing allowed: Set<Int> = []
    ) throws -> Answer {
        var components = URLComponents(url: url.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        if !query.isEmpty { components?.queryItems = query.map { URLQueryItem(name: $0, value: $1) } }
        guard let place = components?.url else { throw error(.badURL, "it has no such place") }
        var request = URLRequest(url: place)
        request.httpMethod = method
        request.httpBody = body
        let (box, done) = (Box(), DispatchSemaphore(value: 0))
        session.dataTask(with: request) { data, response, error in
            if let response = response as? HTTPURLResponse {
                box.result = .success(Answer(status: response.statusCode, body: data ?? Data()))
            } else {
                box.result = .failure(error ?? URLError(.badServerResponse))
            }
            done.signal()
        }.resume()
        done.wait()
        switch box.result {
        case .success(let answer) where answer.status < 400 || allowed.contains(answer.status): return answer
        case .success(let answer):
            let reason = answer.object["reason"] as? String ?? "it gave no reason"
            throw error(.badServerResponse, "status \(answer.status): \(reason)")
        case .failure(let cause): throw error((cause as? URLError)?.code ?? .unknown, cause.localizedDescription)
        case nil: throw error(.unknown, "it gave no answer")
        }
    }

    private func error(_ code: URLError.Code, _ reason: String) -> NSError {
        let isRefusal = code == .badServerResponse
        return NSError(
            domain: NSURLErrorDomain, code: code.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey: "The service at '\(url.absoluteString)' "
                    + (isRefusal ? "refused: \(reason)" : "cannot be reached: \(reason)"),
                NSLocalizedFailureReasonErrorKey: reason,
                NSLocalizedRecoverySuggestionErrorKey: isRefusal
                    ? "Repair what the service names, and try again." : "Try again when there is a connection.",
            ])
    }
}
