import CCurl
import CoreDataGraph

/// A connection to a server, encrypted and logged in as asked: libcurl makes it, the conversation is ours.
///
/// Used on one thread at a time.
final class SMTPConnection {
    private let handle: UnsafeMutableRawPointer
    private let server: SMTPServer
    private var socket: Int32 = -1
    private var replies = SMTPReplyReader()
    private let lines = HeaderLines()

    var greeting: SMTPGreeting { lines.greeting }

    /// - Throws: ``MailError``: nothing was sent.
    init(_ server: SMTPServer) throws {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        let url = try server.url()
        guard let handle = curl_easy_init() else {
            throw MailError(.unreachable, "libcurl made no connection", hint: "see how much memory the process has")
        }
        (self.handle, self.server) = (handle, server)
        if let credentials = server.credentials {
            guard server.security != .none || server.isLocal else {
                throw MailError(
                    .insecureConnection, "a password is not sent to \(server.name) without encryption",
                    hint: "use .startTLS or .tls")
            }
            try setCredentials(credentials)
        }
        setOptions(url)
        try connect()
    }

    deinit { curl_easy_cleanup(handle) }

    private func setOptions(_ url: String) {
        ccurl_set_text(handle, CURLOPT_URL, url)
        ccurl_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // CURLUSESSL_ALL: no encryption is an error.
        if server.security == .startTLS { ccurl_set_long(handle, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let file = server.certificateAuthorities { ccurl_set_text(handle, CURLOPT_CAINFO, file.path) }
        // Proxies of the environment are for the web.
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(server.connectTimeout))
        ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(server.connectTimeout + server.replyTimeout))
        ccurl_set_header_lines(handle, HeaderLines.take, Unmanaged.passUnretained(lines).toOpaque())
    }

    private func setCredentials(_ credentials: SMTPServer.Credentials) throws {
        let (user, secret, option): (String, String, CURLoption)
        switch credentials {
        case .password(let name, let password): (user, secret, option) = (name, password, CURLOPT_PASSWORD)
        case .token(let name, let token): (user, secret, option) = (name, token, CURLOPT_XOAUTH2_BEARER)
        }
        guard !user.isEmpty, !(user + secret).utf8.contains(0) else {
            throw MailError(
                .notConfigured, "the name to log in with is empty, or not valid", hint: "set name and password")
        }
        ccurl_set_text(handle, CURLOPT_USERNAME, user)
        ccurl_set_text(handle, option, secret)
    }

    private func connect() throws {
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw SMTPFailure.connecting(code, server, greeting) }
        // libcurl goes on without a login where the server offers none.
        guard server.credentials == nil || greeting.isLoggedIn else {
            throw MailError(
                .loginFailed, "\(server.name) offers no login, or none that is possible here",
                hint: server.security == .none
                    ? "many servers offer it only with encryption" : "send without name and password")
        }
        socket = ccurl_active_socket(handle)
    }

    /// Sends a command and waits for the reply.
    func ask(_ command: String) throws -> SMTPReply {
        try send(Array((command + "\r\n").utf8))
        return try reply(within: server.replyTimeout)
    }

    /// Sends all bytes; each part of them may take as long as a reply.
    func send(_ bytes: [UInt8]) throws {
        var start = 0
        var deadline = Deadline(server.replyTimeout)
        while start < bytes.count {
            var sent = 0
            let code = bytes.withUnsafeBytes { buffer in
                // At most 16 KiB at a time, so that the deadline is one of progress.
                curl_easy_send(handle, buffer.baseAddress?.advanced(by: start), min(16_384, bytes.count - start), &sent)
            }
            switch code {
            case CURLE_OK:
                start += sent
                if sent > 0 { deadline = Deadline(server.replyTimeout) }
            case CURLE_AGAIN: try wait(for: Int16(POLLOUT), until: deadline)
            default: throw SMTPFailure.lost(server, String(cString: curl_easy_strerror(code)))
            }
        }
    }

    /// Waits for a reply; the time is for all of it, so that a server that sends a byte now and then does not hold the caller.
    func reply(within seconds: TimeInterval) throws -> SMTPReply {
        let deadline = Deadline(seconds)
        if let reply = try replies.take([]) { return reply }
        while true {
            guard let bytes = try receive() else {
                try wait(for: Int16(POLLIN), until: deadline)
                continue
            }
            if let reply = try replies.take(bytes) { return reply }
            guard deadline.millisecondsLeft > 0 else { throw SMTPFailure.silent(server) }
        }
    }

    /// Throws if the server has closed the connection, or has said something, although it is not its turn.
    func requireSilence() throws {
        guard let bytes = try receive() else { return }
        _ = pending(bytes)
        throw SMTPFailure.lost(server, "it did not wait for the end of the message")
    }

    /// What the server said before it closed the connection, if it is there already.
    func lastWord() -> SMTPReply? {
        if let word = earlyReply { return word }
        var left = 16
        while left > 0, let bytes = try? receive() {
            left -= 1
            if let reply = pending(bytes) { return reply }
        }
        return nil
    }

    private var earlyReply: SMTPReply?

    private func pending(_ bytes: [UInt8]) -> SMTPReply? {
        if let reply = try? replies.take(bytes) { earlyReply = reply }
        return earlyReply
    }

    /// The bytes that are there; nil if there are none yet.
    private func receive() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        let code = buffer.withUnsafeMutableBytes { curl_easy_recv(handle, $0.baseAddress, $0.count, &count) }
        switch code {
        case CURLE_OK where count > 0: return Array(buffer.prefix(count))
        case CURLE_AGAIN: return nil
        default: throw SMTPFailure.lost(server, "it closed the connection")
        }
    }

    private func wait(for events: Int16, until deadline: Deadline) throws {
        var request = pollfd(fd: socket, events: events, revents: 0)
        let left = deadline.millisecondsLeft
        guard left > 0, poll(&request, 1, left) != 0 else { throw SMTPFailure.silent(server) }
    }

    /// Says goodbye; what the server answers does not matter.
    func quit() { try? send(Array("QUIT\r\n".utf8)) }

    private static func milliseconds(_ seconds: TimeInterval) -> Int { Int(max(0.001, min(seconds, 86_400)) * 1_000) }
}

/// A point in time to wait until.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ seconds: TimeInterval) { end = .now + .milliseconds(Int(max(0.001, min(seconds, 86_400)) * 1_000)) }

    var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: end).components
        return Int32(clamping: max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000))
    }
}

/// Receives the lines of the server while libcurl makes the connection.
private final class HeaderLines {
    var greeting = SMTPGreeting()

    static let take: @convention(c) (UnsafeMutablePointer<CChar>, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        bytes, size, count, context in
        guard let context else { return 0 }
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
        Unmanaged<HeaderLines>.fromOpaque(context).takeUnretainedValue().greeting.take(line)
        return size * count
    }
}
