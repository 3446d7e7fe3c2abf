import CoreDataBrowser
import Testing

@Suite("Who may ask the browser")
struct SessionTests {
    private let browser: Browser
    private let host = "127.0.0.1:8123"

    init() {
        var options = BrowserOptions()
        options.token = "a-token-of-sixteen"
        browser = Browser(options: options)
        browser.core.access.serve(port: 8123)
    }

    private func ask(
        _ target: String = "/", method: String = "GET", _ headers: [(String, String)] = [], host: String? = nil,
        body: String = ""
    ) async -> BrowserResponse {
        var fields = BrowserHeaders([("Host", host ?? self.host)])
        for (name, value) in headers { fields.add(name, value) }
        return await browser.respond(
            to: BrowserRequest(method: method, target: target, headers: fields, body: BrowserBody(Array(body.utf8))))
    }

    /// The header fields of a tab that began with a new code.
    private func tab() async -> [(String, String)] {
        let start = await ask("/?code=" + browser.core.access.sessions.code(), [("Accept", "text/html")])
        let cookie = start.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        let words = (start.headers["Location"] ?? "").split { "=&".contains($0) }
        return [("Cookie", cookie), ("X-Tab", String(words[1])), ("X-Tab-Secret", String(words[3]))]
    }

    @Test("A code begins a session by a redirect whose cookie and fragment together open what holds data")
    func codeBeginsSessionByRedirectWhoseCookieAndFragmentTogether() async throws {
        let code = browser.core.access.sessions.code()
        let start = await ask("/?code=" + code, [("Accept", "text/html")])
        #expect(start.status == 303)
        let cookie = try #require(start.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("opencoredata-8123="))
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let location = try #require(start.headers["Location"])
        #expect(location.hasPrefix("/#tab="))
        #expect(!location.contains(code))
        let again = await ask("/?code=" + code, [("Accept", "text/html")])
        #expect(again.status == 403)
        let answer = await ask("/", await tab())
        #expect(answer.status == 200)
    }

    @Test("A code that a browser fetches in advance stays good")
    func codeThatBrowserFetchesInAdvanceStaysGood() async {
        let code = browser.core.access.sessions.code()
        let early = await ask("/?code=" + code, [("Accept", "text/html"), ("Sec-Purpose", "prefetch;prerender")])
        #expect(early.status == 503)
        let head = await ask("/?code=" + code, method: "HEAD", [("Accept", "text/html")])
        #expect(head.status != 303)
        let start = await ask("/?code=" + code, [("Accept", "text/html")])
        #expect(start.status == 303)
    }

    @Test("The cookie alone, the secret alone, another tab's secret and a wrong token are refused")
    func cookieAloneSecretAlone() async {
        let (one, other) = (await tab(), await tab())
        let none = await ask()
        #expect(none.status == 401)
        let cookie = await ask("/", [one[0]])
        #expect(cookie.status == 403)
        let secret = await ask("/", [one[1], one[2]])
        #expect(secret.status == 401)
        let mixed = await ask("/", [one[0], one[1], other[2]])
        #expect(mixed.status == 403)
        let foreign = await ask("/", [other[0], one[1], one[2]])
        #expect(foreign.status == 403)
        let twice = await ask("/", one + [("X-Tab-Secret", one[2].1)])
        #expect(twice.status == 403)
        for token in ["Bearer a-token-of-sixteen2", "Bearer ", "a-token-of-sixteen", "Basic a-token-of-sixteen"] {
            let answer = await ask("/", [("Authorization", token)])
            #expect(answer.status == 401)
        }
        let unknown = await ask("/no/such/page")
        #expect(unknown.status == 401)
    }

    @Test("A program asks with the token, and a host's user with none")
    func programAsksWithToken() async {
        let program = await ask("/", [("Authorization", "Bearer a-token-of-sixteen")])
        #expect(program.status == 200)
        let user = await browser.respond(to: BrowserRequest(target: "/", user: BrowserUser(name: "eva")))
        #expect(user.status == 200)
        let foreign = await browser.respond(
            to: BrowserRequest(
                method: "POST", target: "/tabs", headers: ["Sec-Fetch-Site": "cross-site"],
                user: BrowserUser(name: "eva")
            ))
        #expect(foreign.status == 403)
        let mounted = await Browser().respond(to: BrowserRequest(target: "/", headers: ["Host": host]))
        #expect(mounted.status == 403)
    }

    @Test(
        "another name in Host, none and two are refused, with and without a session (HAZ-62)",
        arguments: [
            "evil.example:8123", "127.0.0.1", "127.0.0.1:81230", "localhost", "", "127.0.0.1:8123.evil.example",
            "[::1]:8123",
        ])
    func wrongHost(_ name: String) async {
        let answer = await ask("/", await tab(), host: name)
        #expect(answer.status == 403)
        let view = await ask("/", [("Accept", "text/html")], host: name)
        #expect(view.status == 403)
        let asset = await ask("/assets/main.js", host: name)
        #expect(asset.status == 403)
        let double = await ask("/", await tab() + [("Host", host)])
        #expect(double.status == 403)
        let good = await ask("/", await tab())
        #expect(good.status == 200)
    }

    @Test(
        "requests from other sites are refused on all methods, also with the session's cookie and secret (HAZ-62)",
        arguments: ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
    func otherSites(_ method: String) async {
        let tab = await tab()
        for field in [
            ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1:9"),
            ("Origin", "https://127.0.0.1:8123"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
        ] {
            let answer = await ask("/tabs", method: method, tab + [field])
            #expect(answer.status == 403)
        }
    }

    @Test("Another site may link to a view, and may not embed or fetch it")
    func anotherSiteMayLinkToView() async {
        let html = [("Accept", "text/html"), ("Sec-Fetch-Site", "cross-site")]
        let link = await ask("/stores/1", html + [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")])
        #expect(link.status != 403 && link.status != 401)
        let frame = await ask("/stores/1", html + [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")])
        #expect(frame.status == 403)
        let fetch = await ask("/stores/1", html + [("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Dest", "empty")])
        #expect(fetch.status == 403)
        let data = await ask("/stores/1.json", html + [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")])
        #expect(data.status == 403)
    }

    @Test("A tab asks a secret for another one; both are good, and a second code keeps the first session's tabs")
    func tabAsksSecret() async throws {
        let first = await tab()
        let answer = await ask("/tabs", method: "POST", first)
        let text = String(decoding: try await answer.body.bytes(limit: 1000), as: UTF8.self)
        let words = text.split { !($0.isLetter || $0.isNumber || "-_".contains($0)) }.map(String.init)
        let second = [first[0], ("X-Tab", words[1]), ("X-Tab-Secret", words[3])]
        #expect(second[1].1 != first[1].1)
        let start = await ask(
            "/session", method: "POST", [first[0], ("Content-Type", "application/json")],
            body: "{\"code\": \"\(browser.core.access.sessions.code())\"}")
        #expect(start.status == 200)
        #expect(start.headers["Set-Cookie"]?.hasPrefix(first[0].1 + ";") == true)
        for tab in [first, second] {
            let answer = await ask("/", tab)
            #expect(answer.status == 200)
        }
    }

    @Test("Of more sessions and tabs than there may be, the one that was used least lately goes")
    func ofMoreSessionsAndTabsThanThereMay() async {
        let sessions = Sessions()
        let starts = (0..<40).compactMap { _ in sessions.start(code: sessions.code(), cookie: nil) }
        let kept = starts.map { sessions.accepts($0.session, tab: $0.tab, secret: $0.secret) }
        #expect(kept == Array(repeating: false, count: 8) + Array(repeating: true, count: 32))
        guard let session = starts.last else { return }
        let tabs = (0..<70).compactMap { _ in
            defer { _ = sessions.accepts(session.session, tab: session.tab, secret: session.secret) }
            return sessions.addTab(to: session.session)
        }
        let good = tabs.map { sessions.accepts(session.session, tab: $0.tab, secret: $0.secret) }
        #expect(good.filter { $0 }.count == 63)
        #expect(sessions.accepts(session.session, tab: session.tab, secret: session.secret))
    }

    @Test("Below a base path, only what is below it is answered, and cookie and redirect name it")
    func basePath() async {
        var options = BrowserOptions()
        options.basePath = "/admin/data"
        let browser = Browser(options: options)
        browser.core.access.serve(port: 8123)
        let target = "/admin/data/?code=" + browser.core.access.sessions.code()
        let start = await browser.respond(
            to: BrowserRequest(target: target, headers: ["Host": host, "Accept": "text/html"]))
        #expect(start.headers["Location"]?.hasPrefix("/admin/data/#tab=") == true)
        #expect(start.headers["Set-Cookie"]?.contains("; Path=/admin/data;") == true)
        for (path, status) in [("/admin/data", 200), ("/admin/data/", 200), ("/", 404), ("/admin/datax", 404)] {
            let answer = await browser.respond(to: BrowserRequest(target: path, user: BrowserUser(name: "eva")))
            #expect(answer.status == status)
        }
    }
}
