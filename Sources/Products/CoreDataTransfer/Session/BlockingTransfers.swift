import Dispatch
import Foundation
import FoundationNetworking

extension TransferSession {
    /// The session's functions in a form that waits for their results, for tools and for threads of one's own.
    ///
    /// In a debug build they throw ``TransferError`` with `calledOnMainThread` on the main thread, where a user interface would
    /// stand still.
    public var blocking: BlockingTransfers { BlockingTransfers(session: self, allowsMainThread: false) }
}

/// Transfers whose caller waits. A waiting thread cannot be cancelled; the request's `timeoutInterval` and the session's
/// `transferTimeout` limit how long it waits.
public struct BlockingTransfers: Sendable {
    private let session: TransferSession
    private let allowsMainThread: Bool

    /// - Parameter allowsMainThread: true for a tool, whose main thread has nothing else to do.
    package init(session: TransferSession, allowsMainThread: Bool) {
        (self.session, self.allowsMainThread) = (session, allowsMainThread)
    }

    /// Marks the main queue, which in a program without a main run loop is served by other threads than the first.
    private static let isMainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// As ``TransferSession/data(for:options:)``.
    public func data(
        for request: URLRequest, options: TransferOptions = TransferOptions()
    ) throws -> (Data, HTTPURLResponse) {
        try run(.data(request, body: nil, options))
    }

    /// As ``TransferSession/upload(for:fromFile:options:)``.
    public func upload(
        for request: URLRequest, fromFile file: URL, options: TransferOptions = TransferOptions()
    ) throws -> (Data, HTTPURLResponse) {
        try run(.data(request, body: FileBody(file, request: request), options))
    }

    /// As ``TransferSession/download(for:to:options:)``.
    @discardableResult
    public func download(
        for request: URLRequest, to file: URL, options: TransferOptions = TransferOptions()
    ) throws -> HTTPURLResponse {
        let partial = try PartialFile(for: file, request: request)
        defer { partial.release() }
        do {
            return try run(.download(request, into: partial, options))
        } catch  where partial.mustBeginAgain(after: error) {
            try partial.discard()
            return try run(.download(request, into: partial, options))
        }
    }

    /// As ``TransferSession/contents(of:options:)``.
    public func contents(of url: URL, options: TransferOptions = TransferOptions()) throws -> URLContents {
        if url.isFileURL {
            try refuseMainThread(url)
            return try URLContents(
                file: url, limit: options.maximumBodySize, session.configuration.addresses)
        }
        let (data, response) = try data(for: URLRequest(url: url), options: options)
        return URLContents(url: response.url ?? url, data: data, response: response)
    }

    private func run<Value>(_ exchange: Exchange<Value>) throws -> Value {
        try refuseMainThread(exchange.transfer.request.url)
        let ended = DispatchSemaphore(value: 0)
        let result = ResultBox()
        session.engine.submit(exchange.transfer) {
            result.value = $0
            ended.signal()
        }
        ended.wait()
        guard let response = try result.value?.get() else { preconditionFailure("a transfer ended without a result") }
        return try exchange.value(response)
    }

    private func refuseMainThread(_ url: URL?) throws {
        #if DEBUG
            if !allowsMainThread, Thread.isMainThread || DispatchQueue.getSpecific(key: Self.isMainQueue) == true {
                throw TransferError(
                    .calledOnMainThread, url, "a function that waits for the network was called on the main thread")
            }
        #endif
    }
}

/// Written before the semaphore's signal and read after it.
private final class ResultBox: @unchecked Sendable {
    var value: Result<HTTPURLResponse, any Error>?
}
