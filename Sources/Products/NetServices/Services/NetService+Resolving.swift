import DiscoveryKit
import Foundation
import LockKit

extension NetService {
    /// Finds the host, its addresses, the port and the TXT record.
    ///
    /// - Parameter timeout: Seconds after which resolving ends; 0 for never. Until then changes are reported.
    public func resolve(withTimeout timeout: TimeInterval) {
        notify { $0.netServiceWillResolve($1) }
        guard case .none = state.withLock({ $0.activity }) else {
            return resolvingFailed(
                NetServiceError(
                    .activityInProgress, "the service is resolved or published already", hint: "stop it before"))
        }
        do throws(DiscoveryError) {
            let resolution = try ServiceResolution(discovered, timeout: timeout > 0 ? timeout : nil) {
                [weak self] in self?.resolvingReported($0)
            }
            state.withLock { ($0.activity, $0.error) = (.resolving(resolution), nil) }
            resolution.start()
        } catch {
            resolvingFailed(NetServiceError(error))
        }
    }

    /// What names the service.
    private var discovered: DiscoveredService { DiscoveredService(name: name, type: type, domain: domain) }

    private func resolvingReported(_ event: ServiceResolution.Event) {
        switch event {
        case .resolved(let found):
            keep(found)
            notify { $0.netServiceDidResolveAddress($1) }
        case .ended:
            state.withLock { $0.activity = .none }
            notify { $0.netServiceDidStop($1) }
        case .failed(let error):
            state.withLock { $0.activity = .none }
            resolvingFailed(NetServiceError(error))
        }
    }

    private func keep(_ found: ResolvedService) {
        state.withLock { state in
            state.hostName = found.host + "."
            state.port = found.port
            state.addresses = found.addresses.map { Data($0.bytes) }
            state.text = Data(found.text.bytes)
        }
    }

    private func resolvingFailed(_ error: NetServiceError) {
        state.withLock { $0.error = error }
        notify { $0.netService($1, didNotResolve: error.dictionary) }
    }

    // MARK: Monitoring

    /// Begins to report TXT records, the present one and each that replaces it.
    public func startMonitoring() {
        guard state.withLock({ $0.monitoring }) == nil else { return }
        let resolution = try? ServiceResolution(discovered, timeout: nil) { [weak self] in
            guard let self, case .resolved(let found) = $0 else { return }
            let data = Data(found.text.bytes)
            let isNew = state.withLock { state in
                defer { state.text = data }
                return state.text != data
            }
            if isNew { notify { $0.netService($1, didUpdateTXTRecord: data) } }
        }
        state.withLock { $0.monitoring = resolution }
        resolution?.start()
    }

    /// Ends to report TXT records.
    public func stopMonitoring() {
        let monitoring = state.withLock { state in
            defer { state.monitoring = nil }
            return state.monitoring
        }
        monitoring?.stop()
    }

    // MARK: Connecting

    /// Makes the streams of a connection to the service, which is made when one of them is opened.
    ///
    /// A service that is not resolved yet is resolved then, for at most ten seconds.
    ///
    /// - Returns: false if the service is one that this program publishes.
    public func getInputStream(
        _ inputStream: UnsafeMutablePointer<InputStream?>?, outputStream: UnsafeMutablePointer<OutputStream?>?
    ) -> Bool {
        guard !isLocal else { return false }
        let (known, service) = (addresses, discovered)
        let connection = SocketConnection { try SocketConnector.connect(known ?? NetService.addresses(of: service)) }
        inputStream?.pointee = SocketInputStream(connection)
        outputStream?.pointee = SocketOutputStream(connection)
        return true
    }

    /// Waits for the first addresses of a service.
    private static func addresses(of service: DiscoveredService) throws -> [Data] {
        let found = Locked<Result<[Data], DiscoveryError>?>(nil)
        let isFound = DispatchSemaphore(value: 0)
        let resolution = try ServiceResolution(service, timeout: 10) { event in
            let result: Result<[Data], DiscoveryError>? =
                switch event {
                case .resolved(let place): .success(place.addresses.map { Data($0.bytes) })
                case .failed(let error): .failure(error)
                case .ended: nil
                }
            found.withLock { $0 = $0 ?? result }
            isFound.signal()
        }
        resolution.start()
        isFound.wait()
        resolution.stop()
        do { return try found.withLock { $0 }?.get() ?? [] } catch { throw NetServiceError(error) }
    }
}
