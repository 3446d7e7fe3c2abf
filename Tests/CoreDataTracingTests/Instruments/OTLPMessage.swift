import CoreData

/// The messages of OTLP that traces are made of, to hold JSON to.
///
/// Source: opentelemetry/proto/trace/v1/trace.proto, common.proto and resource.proto, and "JSON Protobuf Encoding" of the OTLP
/// specification.
indirect enum OTLPMessage: Sendable {
    struct Flaw: Error, CustomStringConvertible {
        let description: String
    }

    /// Fields by their names in lowerCamelCase.
    case message([String: OTLPMessage])
    /// A message of which one field is there.
    case oneOf([String: OTLPMessage])
    case list(OTLPMessage)
    case text
    /// Bytes in hexadecimal, that many, and not all zero.
    case identifier(bytes: Int)
    /// A number of 64 bits, as a text of digits.
    case number64
    case number32
    /// The number of one of these values.
    case enumeration(ClosedRange<Int>)
    case real
    case truth

    static let tracesData = message(["resourceSpans": list(resourceSpans)])

    private static let resourceSpans = message([
        "resource": message(["attributes": attributes, "droppedAttributesCount": number32]),
        "scopeSpans": list(scopeSpans), "schemaUrl": text,
    ])
    private static let scopeSpans = message([
        "scope": message([
            "name": text, "version": text, "attributes": attributes, "droppedAttributesCount": number32,
        ]),
        "spans": list(span), "schemaUrl": text,
    ])
    private static let span = message([
        "traceId": identifier(bytes: 16), "spanId": identifier(bytes: 8), "traceState": text,
        "parentSpanId": identifier(bytes: 8), "flags": number32, "name": text, "kind": enumeration(0...5),
        "startTimeUnixNano": number64, "endTimeUnixNano": number64, "attributes": attributes,
        "droppedAttributesCount": number32,
        "events": list(
            message([
                "timeUnixNano": number64, "name": text, "attributes": attributes, "droppedAttributesCount": number32,
            ])),
        "droppedEventsCount": number32,
        "links": list(
            message([
                "traceId": identifier(bytes: 16), "spanId": identifier(bytes: 8), "traceState": text,
                "attributes": attributes, "droppedAttributesCount": number32, "flags": number32,
            ])),
        "droppedLinksCount": number32, "status": message(["message": text, "code": enumeration(0...2)]),
    ])
    private static let attributes = list(
        message([
            "key": text,
            "value": oneOf(["stringValue": text, "boolValue": truth, "intValue": number64, "doubleValue": real]),
        ]))

    func check(_ json: Any, _ place: String = "") throws {
        func flaw(_ expected: String) -> Flaw { Flaw(description: "\(place): \(json) is not \(expected)") }
        switch self {
        case .message(let fields): try check(json, fields, place)
        case .oneOf(let fields):
            try check(json, fields, place)
            guard (json as? [String: Any])?.count == 1 else { throw flaw("one value") }
        case .list(let element):
            guard let list = json as? [Any] else { throw flaw("a list") }
            for (index, member) in list.enumerated() { try element.check(member, "\(place)[\(index)]") }
        case .text: guard json is String else { throw flaw("a text") }
        case .identifier(let bytes):
            guard let text = json as? String, text.count == 2 * bytes, text.allSatisfy(\.isHexDigit),
                text.contains(where: { $0 != "0" })
            else { throw flaw("\(bytes) bytes in hexadecimal") }
        case .number64:
            guard let text = json as? String, UInt64(text) != nil || Int64(text) != nil else {
                throw flaw("a number as a text")
            }
        case .number32: guard let number = json as? Int, UInt32(exactly: number) != nil else { throw flaw("a number") }
        case .enumeration(let values):
            guard let number = json as? Int, values.contains(number) else { throw flaw("a number of \(values)") }
        case .real: guard json is Double else { throw flaw("a number") }
        case .truth: guard json is Bool else { throw flaw("a truth value") }
        }
    }

    private func check(_ json: Any, _ fields: [String: OTLPMessage], _ place: String) throws {
        guard let object = json as? [String: Any] else { throw Flaw(description: "\(place): \(json) is not an object") }
        for (name, value) in object {
            guard let field = fields[name] else { throw Flaw(description: "\(place) has no field '\(name)'") }
            try field.check(value, "\(place).\(name)")
        }
    }
}
