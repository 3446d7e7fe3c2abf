import CCurl
import Foundation
import FoundationNetworking

/// What libcurl is asked for by a request.
struct RequestSettings {
    private let transfer: Transfer
    private let configuration: TransferConfiguration
    private let url: URL
    private let method: String
    private let fields: [String]

    /// - Throws: ``TransferError`` if the request cannot be sent.
    init(_ transfer: Transfer, _ configuration: TransferConfiguration) throws {
        let request = transfer.request
        guard let url = request.url, let scheme = url.scheme?.lowercased() else {
            throw TransferError(.invalidRequest, request.url, "the request has no absolute URL")
        }
        guard ["http", "https"].contains(scheme) else {
            throw TransferError(.unsupportedScheme, url, "\(scheme) is not a scheme of the web")
        }
        guard url.host?.isEmpty == false else { throw TransferError(.invalidRequest, url, "the URL has no host") }
        method = request.httpMethod ?? "GET"
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else {
            throw TransferError(.invalidRequest, url, "the method is not a word of HTTP")
        }
        var fields = request.allHTTPHeaderFields ?? [:]
        if !fields.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            fields["User-Agent"] = configuration.userAgent
        }
        self.fields = try fields.sorted { $0.key < $1.key }.map { name, value in
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken),
                !value.unicodeScalars.contains(where: { ["\r", "\n", "\0"].contains($0) })
            else { throw TransferError(.invalidRequest, url, "the header field \(name) is not valid") }
            // libcurl takes "Name:" for a field to leave out, and "Name;" for one without a value.
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        (self.transfer, self.configuration, self.url) = (transfer, configuration, url)
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Sets the options; returns the list of header fields, which must live as long as the handle.
    func apply(to handle: UnsafeMutableRawPointer) -> UnsafeMutablePointer<curl_slist>? {
        ccurl_set_text(handle, CURLOPT_URL, url.absoluteString)
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        // What a proxy answers to CONNECT is not the response.
        ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_quick_exit(handle)
        setMethod(handle)
        setTimes(handle)
        setConnection(handle)
        let asksForEncoding = transfer.request.value(forHTTPHeaderField: "Accept-Encoding") != nil
        // Of other encodings libcurl keeps up to 64 MiB in memory while a transfer waits.
        if !asksForEncoding {
            ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, transfer.isFile ? "identity" : "gzip, deflate")
        }
        // Nothing waits for "100 Continue" before the body unless the request asks for it.
        let expects = transfer.request.value(forHTTPHeaderField: "Expect") != nil
        var list = expects ? nil : curl_slist_append(nil, "Expect:")
        for field in fields { list = curl_slist_append(list, field) }
        ccurl_set_headers(handle, list)
        return list
    }

    private func setMethod(_ handle: UnsafeMutableRawPointer) {
        if let body = transfer.body {
            ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
            ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, body.length ?? -1)
            ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        } else if method == "HEAD" {
            ccurl_set_long(handle, CURLOPT_NOBODY, 1)
        } else {
            ccurl_set_long(handle, CURLOPT_HTTPGET, 1)
            if method != "GET" { ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method) }
        }
    }

    private func setTimes(_ handle: UnsafeMutableRawPointer) {
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.connectTimeout))
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        let stall = Self.milliseconds(transfer.request.timeoutInterval.rounded(.up)) / 1_000
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, stall))
        if let deadline = transfer.deadline {
            let now = DispatchTime.now().uptimeNanoseconds
            ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, max(1, Int(deadline > now ? deadline - now : 0) / 1_000_000))
        }
    }

    private func setConnection(_ handle: UnsafeMutableRawPointer) {
        if let file = configuration.trustedCertificates { ccurl_set_text(handle, CURLOPT_CAINFO, file.path) }
        // To a proxy the loopback address is another machine, which must not see what is meant for this one.
        let isOwn = ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host?.lowercased() ?? "")
        if isOwn || !configuration.addresses.allowsPrivate { ccurl_set_text(handle, CURLOPT_PROXY, "") }
        if configuration.keepsCookies { ccurl_set_text(handle, CURLOPT_COOKIEFILE, "") }
        if let credential = transfer.options.credential, transfer.isAtOrigin {
            ccurl_set_text(handle, CURLOPT_USERNAME, credential.user)
            ccurl_set_text(handle, CURLOPT_PASSWORD, credential.password)
            ccurl_set_long(handle, CURLOPT_HTTPAUTH, ccurl_any_authentication())
        }
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int { Int(nanoseconds(seconds) / 1_000_000) }

    /// From a millisecond to eleven days; what is no number is the longest time.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        UInt64((seconds.isNaN ? 1e6 : max(1e-3, min(seconds, 1e6))) * 1e9)
    }
}
