import CoreDataFoundation
import Foundation

/// Values of programs as property lists.
enum PropertyListCoding {
    static func data(_ list: PropertyList) -> Data { list.binaryData }

    /// A value as a property list; nil if it is none.
    static func list(_ value: Any, depth: Int = 0) -> PropertyList? {
        guard depth < 32 else { return nil }
        switch value {
        case let text as String: return .string(text)
        case let data as Data: return .data(data)
        case let date as Date: return .date(date)
        case let number as NSNumber: return list(number)
        case let elements as [Any]:
            let lists = elements.compactMap { list($0, depth: depth + 1) }
            return lists.count == elements.count ? .array(lists) : nil
        case let members as [String: Any]:
            let lists = members.compactMapValues { list($0, depth: depth + 1) }
            return lists.count == members.count ? .dictionary(lists) : nil
        default: return nil
        }
    }

    private static func list(_ number: NSNumber) -> PropertyList {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case _ where number === NSNumber(value: true) || number === NSNumber(value: false): .boolean(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max): .unsigned(number.uint64Value)
        default: .integer(number.int64Value)
        }
    }
}
