extension MarkupRules {
    /// The limits for a model's source, whose size has been checked before.
    static let modelSource: MarkupRules = {
        var rules = MarkupRules()
        rules.subject = "the model"
        (rules.depth, rules.elements, rules.attributes) = (64, 2_000_000, 256)
        (rules.names, rules.text, rules.comments) = (.max, .max, .max)
        rules.allowsDocumentType = false
        rules.unknownReference = .malformed
        return rules
    }()
}

extension ModelElement {
    /// Reads the element whose start tag is the current token, with its contents.
    ///
    /// The lexer's rules bound the depth and thus the recursion.
    init(_ lexer: inout MarkupLexer, isEmpty: Bool) throws {
        self.init(name: try lexer.string(lexer.name), place: lexer.tokenPlace)
        spelling = .tag(isSelfClosing: isEmpty, beforeEnd: try lexer.space(lexer.closingSpace))
        attributes.reserveCapacity(lexer.attributes.count)
        for attribute in lexer.attributes { attributes.append(try ModelAttribute(attribute, in: &lexer)) }
        if !isEmpty { try readContents(&lexer) }
    }

    private mutating func readContents(_ lexer: inout MarkupLexer) throws {
        while let token = try lexer.next() {
            switch token {
            case .startTag: contents.append(.element(try ModelElement(&lexer, isEmpty: false)))
            case .emptyTag: contents.append(.element(try ModelElement(&lexer, isEmpty: true)))
            case .text: contents.append(.text(try lexer.string(lexer.range)))
            case .characterData, .other: contents.append(.markup(try lexer.string(lexer.range)))
            case .endTag: return spelling.addClosing(try lexer.space(lexer.closingSpace))
            }
        }
    }
}

extension ModelAttribute {
    fileprivate init(_ attribute: MarkupLexer.Attribute, in lexer: inout MarkupLexer) throws {
        let before = try lexer.space(attribute.space)
        let quote = lexer.bytes(attribute.quote).first ?? UInt8(ascii: "\"")
        let isUsual = before == " " && attribute.equals.count == 1 && quote == UInt8(ascii: "\"")
        self.init(
            name: try lexer.string(attribute.name), raw: try lexer.string(attribute.value),
            spelling: isUsual
                ? .usual
                : .own(before: before, equals: try lexer.string(attribute.equals), quote: Unicode.Scalar(quote)))
    }
}

extension MarkupLexer {
    /// The white space in a range, without a copy for the most frequent case, a single space.
    fileprivate func space(_ range: Range<Int>) throws -> String {
        range.count == 1 && bytes(range).first == 0x20 ? " " : try string(range)
    }
}

extension ModelElement.Spelling {
    /// The spelling of a start tag.
    fileprivate static func tag(isSelfClosing: Bool, beforeEnd: String) -> Self {
        guard beforeEnd.isEmpty else { return .own(isSelfClosing: isSelfClosing, beforeEnd: beforeEnd, closing: "") }
        return isSelfClosing ? .selfClosing : .pair
    }

    /// Sets the white space in the end tag.
    fileprivate mutating func addClosing(_ closing: String) {
        guard !closing.isEmpty else { return }
        guard case .own(_, let beforeEnd, _) = self else {
            self = .own(isSelfClosing: false, beforeEnd: "", closing: closing)
            return
        }
        self = .own(isSelfClosing: false, beforeEnd: beforeEnd, closing: closing)
    }
}
