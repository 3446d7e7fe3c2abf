import Foundation
import FoundationNetworking

/// A transfer, and what its caller gets of it: the same for callers that suspend and for those that wait.
struct Exchange<Value> {
    let transfer: Transfer
    let value: (HTTPURLResponse) throws -> Value
}

extension Exchange where Value == (Data, HTTPURLResponse) {
    /// A request whose response's body comes into memory.
    static func data(_ request: URLRequest, body: (any RequestBody)?, _ options: TransferOptions) -> Self {
        let receiver = DataReceiver(limit: options.maximumBodySize)
        let transfer = Transfer(request, body: body, receiver: receiver, options: options)
        return Exchange(transfer: transfer) { (receiver.data, $0) }
    }
}

extension Exchange where Value == HTTPURLResponse {
    /// A request whose response's body comes into a file.
    static func download(_ request: URLRequest, into file: PartialFile, _ options: TransferOptions) -> Self {
        let receiver = FileReceiver(file, limit: options.maximumBodySize)
        let transfer = Transfer(
            file.resuming(request), body: nil, receiver: receiver, options: options, isFile: true)
        return Exchange(transfer: transfer) { response in
            try file.commit()
            return response
        }
    }
}
