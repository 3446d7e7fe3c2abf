extension PredicatePrinter {
    /// Prints a constant as a literal, a list of literals or a cast; `NSNull` as `<null>`, another object as its type.
    mutating func printLiteral(_ value: Any?) {
        guard let value else {
            text += "nil"
            return
        }
        guard let value = ValueOrder.present(value) else { return printOpaque(value, as: "<null>") }
        if let literal = Self.literal(value) {
            text += literal
        } else if let list = value as? any ElementList, !isDictionary(value) {
            printList(list)
        } else {
            printOpaque(value, as: "<\(type(of: value))>")
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case "\0": result += "\\0"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func literal(_ value: Any) -> String? {
        if let text = value as? String { return quoted(text) }
        if isTruthValue(value) { return value as? Bool == true ? "YES" : "NO" }
        if let number = ExactNumber(value) { return literal(number) }
        switch value {
        case let date as Date: return literal(date)
        case let uuid as UUID: return uuid.uuidString
        case let url as URL: return "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case let data as Data: return "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
        default: return nil
        }
    }

    private static func literal(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds.isFinite ? "CAST(\(seconds), \"NSDate\")" : "CAST(\"\(seconds)\", \"NSDate\")"
    }

    private static func isTruthValue(_ value: Any) -> Bool {
        let type = type(of: value)
        return type == Bool.self || type == truthClass
    }

    /// The class of boxed Boolean values, which differs from that of other numbers.
    private static let truthClass: Any.Type = type(of: NSNumber(value: true))

    private static func literal(_ number: ExactNumber) -> String {
        switch number {
        case .decimal(let value): "CAST(\"\(value)\", \"NSDecimalNumber\")"
        case .double(let value) where !value.isFinite: "CAST(\"\(value)\", \"NSNumber\")"
        default: number.text
        }
    }

    /// Prints the elements in braces; those of a set sorted by their texts, so that the order is always the same.
    private mutating func printList(_ list: any ElementList) {
        var parts = list.elementList.map { value in
            var printer = PredicatePrinter()
            // In a list `NSNull` is printed as 'nil', which can be parsed; an archive does not distinguish the two.
            printer.printLiteral(ValueOrder.present(value))
            return printer
        }
        if !(list is NSArray), !(list is NSOrderedSet), !(list is any OrderedElements) {
            parts.sort { $0.text < $1.text }
        }
        text += "{" + parts.map(\.text).joined(separator: ", ") + "}"
        guard parts.contains(where: { !$0.opaques.isEmpty }) else { return }
        printOpaque(list, as: "")
    }
}

private protocol OrderedElements {}

extension Array: OrderedElements {}
