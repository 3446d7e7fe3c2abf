import DiscoveryKit
import Foundation
import LockKit

extension NetService {
    /// The TXT record, as the service has it or as it was resolved; nil if there is none.
    public func txtRecordData() -> Data? { state.withLock { $0.text } }

    /// Sets the TXT record, also while the service is published; nil for none.
    ///
    /// - Returns: false if the record breaks the rules: `lastError` says which.
    @discardableResult
    public func setTXTRecord(_ recordData: Data?) -> Bool {
        do throws(DiscoveryError) {
            let record = try TextRecord(strict: recordData ?? Data())
            let activity = state.withLock { state in
                (state.text, state.error) = (recordData, nil)
                return state.activity
            }
            if case .publishing(let publication, _) = activity { publication.update(record) }
            return true
        } catch {
            state.withLock { $0.error = NetServiceError(error) }
            return false
        }
    }

    /// The entries of a TXT record; a key without a value has empty data. What is malformed is left out.
    public class func dictionary(fromTXTRecord txtData: Data) -> [String: Data] {
        let entries = TextRecord(received: txtData).entries.map { ($0.key, Data($0.value ?? [])) }
        return Dictionary(entries) { first, _ in first }
    }

    /// The TXT record of entries, in the order of their keys; empty if an entry breaks the rules, as one of more than
    /// 255 bytes.
    ///
    /// ``textRecord(_:)`` says which, and keeps an order.
    public class func data(fromTXTRecord txtDictionary: [String: Data]) -> Data {
        (try? textRecord(txtDictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })) ?? Data()
    }

    /// The TXT record of entries in their order; nil for a key without a value.
    ///
    /// - Throws: ``NetServiceError`` if an entry has more than 255 bytes with its key, a key is not ASCII or occurs twice, or the
    ///   record has more than 8,000 bytes.
    public class func textRecord(_ entries: [(key: String, value: Data?)]) throws -> Data {
        do {
            return Data(try TextRecord(entries.map { .init($0.key, $0.value.map { Array($0) }) }).bytes)
        } catch {
            throw NetServiceError(error)
        }
    }
}
