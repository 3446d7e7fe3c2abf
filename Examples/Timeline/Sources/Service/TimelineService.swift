import Foundation
import LoopbackService

/// The service: a provider of OAuth 2 that agrees at once, and the timeline and search of one user.
///
/// | request | answer |
/// |---|---|
/// | `GET /oauth/authorize` | a redirect with a code |
/// | `POST /oauth/token` | tokens for a code, once |
/// | `GET /statuses/home_timeline.json` | the messages, for who has a token |
/// | `GET /search.json?geocode=LATITUDE,LONGITUDE,RADIUSkm` | messages around a place |
/// | `GET /avatars/NAME.png` | a picture |
final class TimelineService: @unchecked Sendable {
    private let lock = NSLock()
    private var codes: Set<String> = []
    private var tokens: Set<String> = []
    private var statuses: [[String: Any]] = []
    private var searches: [[(latitude: Double, longitude: Double)]]

    /// Makes a service whose searches find, one after the other, messages so far from the place in degrees.
    init(searches: [[(latitude: Double, longitude: Double)]] = [[(0.01, 0.01), (-0.02, 0)], [(0.03, -0.01)]]) {
        self.searches = searches
    }

    /// Writes a message; the avatar has the address of the service.
    func write(_ text: String, by name: String, number: Int, at base: String) {
        let date = Date(timeIntervalSince1970: 1_329_904_800 + Double(number) * 60)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        let short = name.lowercased().filter { $0 != " " }
        let user: [String: Any] = [
            "id_str": "u-\(short)", "name": name, "screen_name": short,
            "profile_image_url": "\(base)/avatars/\(short).png",
        ]
        let status: [String: Any] = [
            "id_str": "\(number)", "text": text, "created_at": formatter.string(from: date), "user": user,
        ]
        lock.withLock { statuses.insert(status, at: 0) }
    }

    /// Makes all tokens invalid.
    func revokeTokens() { lock.withLock { tokens = [] } }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch (request.method, request.path) {
        case ("GET", ["oauth", "authorize"]): authorize(request)
        case ("POST", ["oauth", "token"]): token(request)
        case ("GET", ["statuses", "home_timeline.json"]): timeline(request)
        case ("GET", ["search.json"]): search(request)
        case ("GET", let path) where path.first == "avatars": .content(Self.avatar, "image/png")
        default: .refusal(404, "There is nothing here.")
        }
    }

    private func authorize(_ request: HTTPRequest) -> HTTPResponse {
        guard let redirect = request.query["redirect_uri"], let state = request.query["state"],
            request.query["code_challenge_method"] == "S256"
        else { return .refusal(400, "A redirect, a state and a challenge are wanted.") }
        let code = UUID().uuidString
        lock.withLock { _ = codes.insert(code) }
        return HTTPResponse(status: 302, headers: ["Location": "\(redirect)?code=\(code)&state=\(state)"])
    }

    private func token(_ request: HTTPRequest) -> HTTPResponse {
        let form = request.form
        return lock.withLock {
            guard form["code_verifier"]?.count == 43, let code = form["code"], codes.remove(code) != nil else {
                return .json(["error": "invalid_grant"], status: 400)
            }
            let token = UUID().uuidString
            tokens.insert(token)
            return .json(["access_token": token, "token_type": "Bearer", "expires_in": 3600])
        }
    }

    private func timeline(_ request: HTTPRequest) -> HTTPResponse {
        lock.withLock {
            let token = (request.headers["authorization"] ?? "").dropFirst("Bearer ".count)
            guard tokens.contains(String(token)) else { return .refusal(401, "A token is wanted.") }
            guard let body = try? JSONSerialization.data(withJSONObject: statuses) else { return .refusal(500, "") }
            return .content(body, "application/json")
        }
    }

    private func search(_ request: HTTPRequest) -> HTTPResponse {
        let numbers = (request.query["geocode"] ?? "").split(separator: ",")
        guard numbers.count == 3, numbers[2].hasSuffix("km"), let latitude = Double(numbers[0]),
            let longitude = Double(numbers[1])
        else { return .refusal(400, "A place is wanted: geocode=LATITUDE,LONGITUDE,RADIUSkm.") }
        let found = lock.withLock { searches.isEmpty ? [] : searches.removeFirst() }
        let results = found.enumerated().map { number, place in
            [
                "id_str": "s\(number)", "from_user": "user\(number)", "text": "I am here.",
                "geo": ["type": "Point", "coordinates": [latitude + place.latitude, longitude + place.longitude]],
            ] as [String: Any]
        }
        return .json(["results": results])
    }

    private static let avatar =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
        ) ?? Data()
}
