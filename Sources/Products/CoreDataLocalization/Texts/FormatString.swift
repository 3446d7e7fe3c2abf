/// A text with specifiers, as `String(format:)` and stringsdict files have them, in its parts.
struct FormatString: Sendable, Equatable {
    /// A place for a value, such as `%2$-8.3f`.
    struct Specifier: Sendable, Equatable {
        /// The number of the argument, from 1; nil for the next one.
        var position: Int?
        /// Flags of `printf`: `-`, `+`, space, `0`, `#`, `'`.
        var flags = ""
        var width = Amount.none
        var precision = Amount.none
        /// The letter, such as `d` or `@`.
        var conversion: Character
        /// As it is written.
        var source: String
    }

    /// The width or the precision of a specifier; the arguments give it for `*`.
    enum Amount: Sendable, Equatable {
        case none
        case number(Int)
        case argument
    }

    enum Part: Sendable, Equatable {
        case text(String)
        case value(Specifier)
        /// `%#@name@`, with the number of its argument.
        case variable(name: String, position: Int?, source: String)
        /// `%arg` of string catalogs: the value that the substitution is for.
        case ownValue
    }

    /// The greatest width, precision and number of an argument; greater ones are read as this.
    static let largest = 1_000

    let parts: [Part]

    /// Reads a text; what is not a specifier stays in the text as it is.
    init(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "%")) else {
            parts = text.isEmpty ? [] : [.text(text)]
            return
        }
        var parts: [Part] = []
        var plain = ""
        var rest = Array(text)[...]
        while let next = rest.popFirst() {
            guard next == "%" else {
                plain.append(next)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                plain.append("%")
            } else if let part = Self.part(&rest) {
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(part)
            } else {
                plain.append("%")
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// The names of the variables in the text.
    var variables: [String] {
        parts.compactMap { if case .variable(let name, _, _) = $0 { name } else { nil } }
    }

    /// Reads what follows a percent sign; leaves the rest as it was if that is not a specifier.
    private static func part(_ rest: inout ArraySlice<Character>) -> Part? {
        var scan = rest
        if scan.starts(with: "arg"), !(scan.dropFirst(3).first.map { $0.isLetter || $0.isNumber } ?? false) {
            rest = scan.dropFirst(3)
            return .ownValue
        }
        var position: Int?
        var ahead = scan
        if let number = number(&ahead), number > 0, ahead.popFirst() == "$" {
            position = number
            scan = ahead
        }
        if scan.starts(with: "#@") {
            let name = scan.dropFirst(2).prefix(while: { $0 != "@" })
            guard !name.isEmpty, name.endIndex < scan.endIndex else { return nil }
            let source = "%" + String(rest[rest.startIndex...name.endIndex])
            rest = scan[(name.endIndex + 1)...]
            return .variable(name: String(name), position: position, source: source)
        }
        var flags = ""
        while let flag = scan.first, "-+ 0#'".contains(flag), flags.count < 8 {
            flags.append(flag)
            scan.removeFirst()
        }
        let width = amount(&scan)
        var precision = Amount.none
        if scan.first == "." {
            scan.removeFirst()
            precision = amount(&scan)
            if precision == .none { precision = .number(0) }
        }
        var modifiers = 0
        while let letter = scan.first, "hlqLzjt".contains(letter), modifiers < 2 {
            modifiers += 1
            scan.removeFirst()
        }
        guard let conversion = scan.popFirst(), "@diuDUxXoOfFeEgGaAcCsSp".contains(conversion) else { return nil }
        let source = "%" + String(rest[rest.startIndex..<scan.startIndex])
        rest = scan
        return .value(
            Specifier(
                position: position, flags: flags, width: width, precision: precision, conversion: conversion,
                source: source))
    }

    private static func amount(_ scan: inout ArraySlice<Character>) -> Amount {
        if scan.first == "*" {
            scan.removeFirst()
            return .argument
        }
        return number(&scan).map(Amount.number) ?? .none
    }

    /// Reads digits; nil without any. A greater number than `largest` becomes `largest`.
    private static func number(_ scan: inout ArraySlice<Character>) -> Int? {
        var number: Int?
        while let digit = scan.first?.asciiValue, (48...57).contains(digit) {
            number = min(largest, (number ?? 0) * 10 + Int(digit - 48))
            scan.removeFirst()
        }
        return number
    }
}
