import Foundation
import NetServices

/// A delegate of services and browsers that records its calls, as words.
final class ServiceRecorder: NetServiceDelegate, NetServiceBrowserDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [String] = []
    private var found: [NetService] = []
    private var pairs: [(InputStream, OutputStream)] = []

    var words: [String] { lock.withLock { recorded } }
    var services: [NetService] { lock.withLock { found } }
    var connections: [(input: InputStream, output: OutputStream)] { lock.withLock { pairs.map { ($0.0, $0.1) } } }

    private func add(_ word: String) {
        lock.withLock { recorded.append(word) }
    }

    private func code(_ dictionary: [String: NSNumber]) -> String {
        "\(dictionary[NetService.errorCode] ?? 0) \(dictionary[NetService.errorDomain] ?? 0)"
    }

    func netServiceWillPublish(_ sender: NetService) { add("will publish") }
    func netServiceDidPublish(_ sender: NetService) { add("published \(sender.name)") }
    func netService(_ sender: NetService, didNotPublish errorDict: [String: NSNumber]) {
        add("not published \(code(errorDict))")
    }
    func netServiceWillResolve(_ sender: NetService) { add("will resolve") }
    func netServiceDidResolveAddress(_ sender: NetService) { add("resolved") }
    func netService(_ sender: NetService, didNotResolve errorDict: [String: NSNumber]) {
        add("not resolved \(code(errorDict))")
    }
    func netServiceDidStop(_ sender: NetService) { add("stopped") }
    func netService(_ sender: NetService, didUpdateTXTRecord data: Data) {
        let entries = NetService.dictionary(fromTXTRecord: data).mapValues { String(decoding: $0, as: UTF8.self) }
        add("text \(entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ","))")
    }
    func netService(_ sender: NetService, didAcceptConnectionWith inputStream: InputStream, outputStream: OutputStream)
    {
        lock.withLock { pairs.append((inputStream, outputStream)) }
        add("accepted")
    }

    func netServiceBrowserWillSearch(_ browser: NetServiceBrowser) { add("will search") }
    func netServiceBrowserDidStopSearch(_ browser: NetServiceBrowser) { add("search stopped") }
    func netServiceBrowser(_ browser: NetServiceBrowser, didNotSearch errorDict: [String: NSNumber]) {
        add("not searched \(code(errorDict))")
    }
    func netServiceBrowser(_ browser: NetServiceBrowser, didFindDomain domainString: String, moreComing: Bool) {
        add("+\(domainString)")
    }
    func netServiceBrowser(_ browser: NetServiceBrowser, didFind service: NetService, moreComing: Bool) {
        lock.withLock { found.append(service) }
        add("+\(service.name)")
    }
    func netServiceBrowser(_ browser: NetServiceBrowser, didRemove service: NetService, moreComing: Bool) {
        let isSame = lock.withLock { found.contains { $0 === service } }
        add(isSame ? "-\(service.name)" : "-unknown \(service.name)")
    }
}
