import DiscoveryKit
import Foundation
import LockKit

extension NetService {
    /// Announces the service; a name that is taken is changed (`Printer #2`).
    public func publish() { publish(options: []) }

    /// Announces the service.
    ///
    /// Bad arguments too are reported to the delegate.
    public func publish(options: Options) {
        notify { $0.netServiceWillPublish($1) }
        do {
            try beginPublishing(options)
        } catch {
            publishingFailed(error as? NetServiceError ?? NetServiceError(.unknownError, "\(error)", hint: ""))
        }
    }

    private func beginPublishing(_ options: Options) throws {
        guard isLocal else {
            throw NetServiceError(
                .invalidError, "a service without a port cannot be published",
                hint: "make it with init(domain:type:name:port:)")
        }
        guard case .none = state.withLock({ $0.activity }) else {
            throw NetServiceError(.activityInProgress, "the service is published already", hint: "stop it before")
        }
        let listens = options.contains(.listenForConnections)
        guard (listens ? 0...65_535 : 1...65_535).contains(port) else {
            throw NetServiceError(
                .badArgumentError, "\(port) is not the number of a port",
                hint: "ports are 1 to 65535; 0 takes any, with the option listenForConnections")
        }
        let listener = listens ? try makeListener() : nil
        do throws(DiscoveryError) {
            let service = PublishedService(
                name: name, type: try ServiceType(parsing: type), domain: domain, port: UInt16(port),
                text: TextRecord(received: state.withLock { $0.text } ?? Data()))
            let publication = try ServicePublication(service, renames: !options.contains(.noAutoRename)) {
                [weak self] in self?.publishingReported($0)
            }
            state.withLock { ($0.activity, $0.error) = (.publishing(publication, listener), nil) }
            publication.start()
        } catch {
            listener?.stop()
            throw NetServiceError(error)
        }
    }

    private func makeListener() throws -> StreamListener {
        let listener = try StreamListener(port: port) { [weak self] input, output in
            // Streams are of one owner at a time; the delegate is the next.
            nonisolated(unsafe) let (input, output) = (input, output)
            self?.notify { $0.netService($1, didAcceptConnectionWith: input, outputStream: output) }
        }
        state.withLock { $0.port = listener.port }
        return listener
    }

    private func publishingReported(_ event: ServicePublication.Event) {
        switch event {
        case .published(let name):
            state.withLock { ($0.name, $0.error) = (name, nil) }
            notify { $0.netServiceDidPublish($1) }
        // The service is published again, and the delegate notified of that, when the daemon is back.
        case .interrupted(let error): state.withLock { $0.error = NetServiceError(error) }
        case .failed(let error):
            Self.end(
                state.withLock { state in
                    defer { state.activity = .none }
                    return state.activity
                })
            publishingFailed(NetServiceError(error))
        }
    }

    private func publishingFailed(_ error: NetServiceError) {
        state.withLock { $0.error = error }
        notify { $0.netService($1, didNotPublish: error.dictionary) }
    }
}
