import CCurl
import Foundation
import FoundationNetworking
import Synchronization

/// A request given to libcurl, and what comes of it. Of the session's thread alone.
final class Connection {
    /// How a request ended.
    enum Outcome {
        case response(HTTPURLResponse)
        case redirected(Redirection)
    }

    /// What becomes of the body.
    private enum Phase {
        /// The header fields are not complete.
        case undecided
        case delivered(HTTPURLResponse)
        /// The status or type is not accepted: the start of the body is kept for the error.
        case refused(HTTPURLResponse, TransferError.Code)
        case redirected(Redirection)
    }

    /// The bytes of a refused response that are kept.
    private static let keptBytes = 4_096
    /// The bytes of a redirect's body that are read so that the connection can be used again; and of a response whose challenge
    /// libcurl answers.
    private static let (skippedBytes, challengeBytes) = (65_536, 1 << 20)

    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
    private let configuration: TransferConfiguration
    private var callbacks: UnsafeMutablePointer<ccurl_callbacks>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>
    private var head = ResponseHead()
    private var phase = Phase.undecided
    private var refusedBody = Data()
    private var skipped = 0
    /// Whether the transfer was stopped because the rest of its body is of no use.
    private var isComplete = false
    /// What stopped the transfer from within.
    private var failure: (any Error)?
    private var refusedAddress = false
    private var progress = ProgressReport()

    init(_ transfer: Transfer, configuration: TransferConfiguration, cookies: UnsafeMutableRawPointer?) throws {
        self.transfer = transfer
        self.configuration = configuration
        let settings = try RequestSettings(transfer, configuration)
        guard let handle = curl_easy_init() else {
            throw TransferError(.invalidRequest, transfer.request.url, "there is no memory for a transfer")
        }
        self.handle = handle
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: Self.functions)
        callbacks.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_callbacks(handle, callbacks)
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
        if let cookies { ccurl_set_pointer(handle, CURLOPT_SHARE, cookies) }
        headers = settings.apply(to: handle)
        try configuration.pinnedKeys?.apply(to: handle, transfer.request.url)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        callbacks.deallocate()
        message.deallocate()
    }

    /// Goes on after the receiver had no room.
    func resume() { ccurl_continue(handle) }

    /// The response or the redirect; throws why there is neither.
    func outcome(_ code: CURLcode) throws -> Outcome {
        if let failure { throw failure }
        guard code == CURLE_OK || isDecided else { throw error(code) }
        try decide()
        switch phase {
        case .delivered(let response):
            progress.finish(transfer.options.onProgress)
            return .response(response)
        case .redirected(let redirection): return .redirected(redirection)
        case .refused(let response, let code):
            progress.finish(transfer.options.onProgress)
            throw TransferError(
                code, response.url, Self.reason(code), response: response, body: refusedBody)
        case .undecided:
            throw TransferError(.invalidResponse, transfer.request.url, "the response has no status")
        }
    }

    /// Whether the result does not depend on the rest of the body.
    private var isDecided: Bool {
        guard !transfer.isCancelled.load(ordering: .acquiring) else { return false }
        return switch phase {
        case .redirected, .refused: true
        case .undecided, .delivered: isComplete
        }
    }

    // MARK: What libcurl calls

    private static var functions: ccurl_callbacks {
        ccurl_callbacks(
            write: { bytes, _, count, context in
                Connection.at(context).receive(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            header: { bytes, size, count, context in
                Connection.at(context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            read: { buffer, size, count, context in
                Connection.at(context).send(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            },
            seek: { context, offset, origin in Connection.at(context).seek(Int64(offset), origin) },
            progress: { context, toReceive, received, toSend, sent in
                let goesOn = Connection.at(context).report(
                    received: Int64(received), of: Int64(toReceive), sent: Int64(sent), of: Int64(toSend))
                return goesOn ? 0 : 1
            },
            allows: { context, address, count in
                Connection.at(context).allows(Array(UnsafeBufferPointer(start: address, count: Int(count)))) ? 1 : 0
            },
            context: nil)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Connection {
        guard let context else { preconditionFailure("libcurl calls without the context that it was given") }
        return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    }

    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
        guard head.append(line) else {
            failure = TransferError(.invalidResponse, transfer.request.url, "the header fields are too large")
            return 0
        }
        // With a credential libcurl answers a challenge itself, and the response to that is the one that counts.
        let mayBeAnswered = [401, 407].contains(head.status) && transfer.options.credential != nil
        guard head.isComplete, !head.isInterim, !mayBeAnswered else { return line.count }
        do {
            try decide()
            return line.count
        } catch {
            failure = error
            return 0
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        do {
            try decide()
            switch phase {
            case .delivered: return try transfer.receiver.write(bytes) ? bytes.count : ccurl_write_pause()
            case .refused:
                refusedBody.append(contentsOf: bytes.prefix(Self.keptBytes - refusedBody.count))
                isComplete = refusedBody.count >= Self.keptBytes
            case .redirected, .undecided:
                skipped += bytes.count
                isComplete = skipped > Self.skippedBytes
            }
            // The rest is of no use: the connection is closed rather than read to its end.
            return isComplete ? 0 : bytes.count
        } catch {
            failure = error
            return 0
        }
    }

    private func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            return try transfer.body?.read(into: buffer) ?? 0
        } catch {
            failure = error
            return ccurl_read_abort()
        }
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int32 {
        guard origin == SEEK_SET, transfer.body?.seek(to: offset) == true else {
            failure = TransferError(
                .bodyNotRepeatable, transfer.request.url, "the server asks for the body once more")
            return Int32(CURL_SEEKFUNC_FAIL)
        }
        return Int32(CURL_SEEKFUNC_OK)
    }

    /// Notifies the caller; false to stop the transfer.
    private func report(received: Int64, of toReceive: Int64, sent: Int64, of toSend: Int64) -> Bool {
        // After its end a transfer that is being removed is reported once more.
        if transfer.finish == nil || transfer.isCancelled.load(ordering: .acquiring) { return false }
        var isAnswer = false
        switch phase {
        case .undecided:
            guard received <= Self.challengeBytes else {
                failure = TransferError(
                    .invalidResponse, transfer.request.url, "the body of a challenge is too large")
                return false
            }
        case .delivered: isAnswer = true
        // Its body is not the one that was asked for.
        case .redirected, .refused: return true
        }
        progress.update(
            sent: sent, toSend: toSend, received: isAnswer ? received : 0, toReceive: isAnswer ? toReceive : 0,
            transfer.options.onProgress)
        return true
    }

    private func allows(_ address: [UInt8]) -> Bool {
        let isAllowed = configuration.addresses.allows(host: transfer.request.url?.host ?? "", address: address)
        if !isAllowed { refusedAddress = true }
        return isAllowed
    }

    // MARK: The response

    /// Finds out what the response is, once its header fields are there.
    private func decide() throws {
        guard case .undecided = phase, head.isComplete, let url = transfer.request.url,
            let response = head.response(url: url)
        else { return }
        if configuration.maximumRedirects > 0, let redirection = try Redirection(of: transfer.request, head) {
            phase = .redirected(redirection)
            return
        }
        // That the content is unchanged is said without its type.
        let (accepts, type) = (transfer.options.accepts, head.values("Content-Type").first)
        if !accepts.statuses.contains(head.status) {
            phase = .refused(response, .status(head.status))
        } else if head.status != 304, !accepts.allows(contentType: type) {
            phase = .refused(response, .contentType(type))
        } else {
            try transfer.receiver.begin(response)
            phase = .delivered(response)
        }
    }

    private static func reason(_ code: TransferError.Code) -> String {
        switch code {
        case .status(let status):
            "the server answers \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
        case .contentType(let type): "the content is \(type ?? "of no stated type"), which is not expected here"
        default: "the response is not accepted"
        }
    }

    /// The failure that libcurl reports.
    private func error(_ code: CURLcode) -> any Error {
        if transfer.isCancelled.load(ordering: .acquiring) { return CancellationError() }
        let text = String(cString: message)
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        let kind = refusedAddress && code == CURLE_COULDNT_CONNECT ? .addressNotAllowed : Self.kind(code)
        return TransferError(
            kind, transfer.request.url,
            kind == .addressNotAllowed ? "the host has an address to which no transfer may connect" : reason)
    }

    private static func kind(_ code: CURLcode) -> TransferError.Code {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .invalidResponse
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PARTIAL_FILE: .incompleteBody
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .insecureConnection
        default: .connectionLost
        }
    }
}

/// What a caller is notified of, and when.
private struct ProgressReport {
    private var last = TransferProgress(sent: 0, bytesToSend: nil, received: 0, bytesToReceive: nil)
    private var reported: TransferProgress?
    private var nextTime: UInt64 = 0

    /// Notes what libcurl says, of which 0 of a whole means that it is not known, and reports it ten times a second at most.
    mutating func update(
        sent: Int64, toSend: Int64, received: Int64, toReceive: Int64, _ report: (@Sendable (TransferProgress) -> Void)?
    ) {
        guard let report else { return }
        last = TransferProgress(
            sent: sent, bytesToSend: toSend > 0 ? toSend : nil, received: received,
            bytesToReceive: toReceive > 0 ? toReceive : nil)
        let now = DispatchTime.now().uptimeNanoseconds
        guard now >= nextTime, last != reported else { return }
        nextTime = now + 100_000_000
        reported = last
        report(last)
    }

    mutating func finish(_ report: (@Sendable (TransferProgress) -> Void)?) {
        guard let report, last != reported else { return }
        reported = last
        report(last)
    }
}
