extension MarkupScanner {
    /// Reads an element with everything in it; the depth is bounded and with it the recursion.
    mutating func scanElement(depth: Int) throws -> ModelElement {
        guard depth <= Self.greatestDepth else {
            throw ModelingError(
                .limitExceeded, "the model nests deeper than \(Self.greatestDepth) elements", at: place)
        }
        elementCount += 1
        guard elementCount <= Self.greatestElementCount else {
            throw ModelingError(
                .limitExceeded, "the model has more than \(Self.greatestElementCount) elements", at: place)
        }
        var element = try scanStartTag()
        guard element.hasContents else { return element }
        try scanContents(of: &element, depth: depth)
        return element
    }

    private mutating func scanStartTag() throws -> ModelElement {
        let place = place
        guard next == UInt8(ascii: "<") else { throw malformed("there is text where an element should begin") }
        skip(1)
        var element = ModelElement(name: try scanName("element"), place: place)
        while true {
            let start = index
            skipWhiteSpace()
            let space = space(from: start)
            if starts(with: "/>") {
                skip(2)
                element.spelling = .tag(isSelfClosing: true, beforeEnd: space)
                break
            }
            if next == UInt8(ascii: ">") {
                skip(1)
                element.spelling = .tag(isSelfClosing: false, beforeEnd: space)
                break
            }
            guard !isAtEnd else {
                throw ModelingError(.malformed, "the tag of <\(element.name)> has no end", at: place)
            }
            guard !space.isEmpty else { throw malformed("<\(element.name)> lacks a blank before an attribute") }
            guard element.attributes.count < Self.greatestAttributeCount else {
                throw ModelingError(
                    .limitExceeded, "an element has more than \(Self.greatestAttributeCount) attributes",
                    at: self.place)
            }
            element.attributes.append(try scanAttribute(before: space))
        }
        try checkNames(of: element)
        return element
    }

    private func checkNames(of element: ModelElement) throws {
        guard element.attributes.count > 1 else { return }
        var names = Set<String>(minimumCapacity: element.attributes.count)
        for attribute in element.attributes where !names.insert(attribute.name).inserted {
            throw ModelingError(
                .malformed, "<\(element.name)> has the attribute '\(attribute.name)' twice", at: element.place)
        }
    }

    private mutating func scanName(_ what: String) throws -> String {
        let start = index
        guard MarkupText.isNameStart(next) else { throw malformed("an \(what) has no name") }
        while MarkupText.isNamePart(next) {
            try checkCharacter()
            skip(1)
        }
        return text(from: start)
    }

    private mutating func scanAttribute(before: String) throws -> ModelAttribute {
        let name = try scanName("attribute")
        let start = index
        skipWhiteSpace()
        guard next == UInt8(ascii: "=") else { throw malformed("the attribute '\(name)' has no value") }
        skip(1)
        skipWhiteSpace()
        let equals = index == start + 1 ? "=" : text(from: start)
        let quote = next
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("the value of '\(name)' is not in quotes")
        }
        skip(1)
        let raw = try scanValue(of: name, until: quote)
        guard before != " " || equals != "=" || quote != UInt8(ascii: "\"") else {
            return ModelAttribute(name: name, raw: raw, spelling: .usual)
        }
        let scalar = Unicode.Scalar(quote)
        return ModelAttribute(name: name, raw: raw, spelling: .own(before: before, equals: equals, quote: scalar))
    }

    private mutating func scanValue(of name: String, until quote: UInt8) throws -> String {
        let start = index
        let place = place
        while true {
            skipPlain(until: quote)
            guard next != quote else { break }
            guard !isAtEnd, next != UInt8(ascii: "<") else {
                throw ModelingError(.malformed, "the value of '\(name)' has no end", at: place)
            }
            try scanCharacter()
        }
        defer { skip(1) }
        return text(from: start)
    }

    /// Skips one byte of text or one reference, which must be known.
    private mutating func scanCharacter() throws {
        try checkCharacter()
        guard next == UInt8(ascii: "&") else { return advance() }
        let rest = bytes[(index + 1)..<min(bytes.count, index + 12)]
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw malformed("there is an '&' that begins no reference")
        }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        guard MarkupText.character(ofReference: name[...].utf8) != nil else {
            throw malformed("there is a reference to an entity that is not predefined")
        }
        index = end + 1
    }

    // MARK: Contents

    private mutating func scanContents(of element: inout ModelElement, depth: Int) throws {
        while true {
            let start = index
            while true {
                skipPlain(until: UInt8(ascii: "<"))
                guard !isAtEnd, next != UInt8(ascii: "<") else { break }
                try scanCharacter()
            }
            if index > start { element.contents.append(.text(text(from: start))) }
            guard !isAtEnd else {
                throw ModelingError(.malformed, "<\(element.name)> is not closed", at: element.place)
            }
            if starts(with: "</") { return try scanEndTag(of: &element) }
            if let markup = try scanMarkup() {
                element.contents.append(.markup(markup))
            } else {
                element.contents.append(.element(try scanElement(depth: depth + 1)))
            }
        }
    }

    private mutating func scanMarkup() throws -> String? {
        let start = index
        if starts(with: "<![CDATA[") {
            try skip(through: "]]>", after: 9, of: "section of character data")
            return text(from: start)
        }
        return try skipMarkup() ? text(from: start) : nil
    }

    private mutating func scanEndTag(of element: inout ModelElement) throws {
        let place = place
        skip(2)
        let name = try scanName("end tag")
        guard name == element.name else {
            throw ModelingError(
                .malformed, "<\(element.name)> of line \(element.place.line) is closed by </\(name)>", at: place)
        }
        let start = index
        skipWhiteSpace()
        guard next == UInt8(ascii: ">") else { throw malformed("the end tag </\(name)> has no end") }
        element.spelling.addClosing(text(from: start))
        skip(1)
    }
}

extension ModelElement.Spelling {
    /// The spelling of a start tag.
    static func tag(isSelfClosing: Bool, beforeEnd: String) -> Self {
        guard beforeEnd.isEmpty else { return .own(isSelfClosing: isSelfClosing, beforeEnd: beforeEnd, closing: "") }
        return isSelfClosing ? .selfClosing : .pair
    }

    /// Adds the white space in the end tag.
    mutating func addClosing(_ closing: String) {
        guard !closing.isEmpty else { return }
        guard case .own(_, let beforeEnd, _) = self else {
            self = .own(isSelfClosing: false, beforeEnd: "", closing: closing)
            return
        }
        self = .own(isSelfClosing: false, beforeEnd: beforeEnd, closing: closing)
    }
}
