extension MarkupLexer {
    /// Reads a start tag; returns whether it is an empty-element tag (`<a/>`).
    mutating func scanStartTag() throws -> Bool {
        try checkIsInside()
        try checkLimits()
        skip(1)
        name = try scanName("element")
        attributes.removeAll(keepingCapacity: true)
        while true {
            let start = offset
            try skipWhiteSpace()
            let byte = try peek()
            if byte == UInt8(ascii: ">") {
                closingSpace = start..<offset
                skip(1)
                try finishStartTag(isEmpty: false)
                return false
            }
            if try byte == UInt8(ascii: "/") && starts(with: "/>") {
                closingSpace = start..<offset
                skip(2)
                try finishStartTag(isEmpty: true)
                return true
            }
            guard try !isAtEnd() else {
                throw ModelingError(.malformed, "the tag of <\(try string(name))> has no end", at: tokenPlace)
            }
            guard start < offset else { throw malformed("<\(try string(name))> lacks a blank before an attribute") }
            guard attributes.count < rules.attributes else {
                throw ModelingError(
                    .limitExceeded, "an element has more than \(rules.attributes) attributes", at: place)
            }
            attributes.append(try scanAttribute(from: start))
        }
    }

    /// Throws if the root element has ended.
    func checkIsInside() throws {
        guard open.isEmpty, let rootName else { return }
        throw malformed("there is something behind the end of <\(rootName)>")
    }

    private mutating func checkLimits() throws {
        guard open.count < rules.depth else {
            throw ModelingError(
                .limitExceeded, "\(rules.subject) nests deeper than \(rules.depth) elements", at: tokenPlace)
        }
        elementCount += 1
        guard elementCount <= rules.elements else {
            throw ModelingError(
                .limitExceeded, "\(rules.subject) has more than \(rules.elements) elements", at: tokenPlace)
        }
    }

    private mutating func finishStartTag(isEmpty: Bool) throws {
        if attributes.count > 1 { try checkNames() }
        if rootName == nil { rootName = try string(name) }
        guard !isEmpty else { return }
        openNames += bytes(name)
        open.append(OpenElement(nameLength: name.count, place: tokenPlace))
    }

    /// Throws if two attributes have the same name.
    private func checkNames() throws {
        // Comparing a few attributes in pairs is faster than collecting their names.
        guard attributes.count > 24 else {
            for (index, attribute) in attributes.enumerated() {
                for other in attributes[..<index] where isSame(attribute.name, other.name) {
                    throw try twice(attribute)
                }
            }
            return
        }
        var names = Set<ArraySlice<UInt8>>(minimumCapacity: attributes.count)
        for attribute in attributes where !names.insert(bytes(attribute.name)).inserted { throw try twice(attribute) }
    }

    private func isSame(_ range: Range<Int>, _ other: Range<Int>) -> Bool {
        range.count == other.count && bytes(range) == bytes(other)
    }

    private func twice(_ attribute: Attribute) throws -> ModelingError {
        ModelingError(
            .malformed, "<\(try string(name))> has the attribute '\(try string(attribute.name))' twice", at: tokenPlace)
    }

    private mutating func scanName(_ what: String) throws -> Range<Int> {
        let start = offset
        guard MarkupText.isNameStart(try peek()) else { throw malformed("an \(what) has no name") }
        while true {
            skipNameParts()
            guard offset - start <= rules.names else { throw tooLong("a name") }
            guard try MarkupText.isNamePart(peek()) else { return start..<offset }
            try checkCharacter()
            skip(1)
        }
    }

    /// Skips bytes of a name up to one whose character must be checked.
    private mutating func skipNameParts() {
        var place = index
        while place < buffer.count, buffer[place] < 0xEF, MarkupText.isNamePart(buffer[place]) { place += 1 }
        index = place
    }

    private mutating func scanAttribute(from start: Int) throws -> Attribute {
        let name = try scanName("attribute")
        try skipWhiteSpace()
        guard try peek() == UInt8(ascii: "=") else {
            throw malformed("the attribute '\(try string(name))' has no value")
        }
        skip(1)
        try skipWhiteSpace()
        let quote = try peek()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("the value of '\(try string(name))' is not in quotes")
        }
        skip(1)
        let value = try scanValue(of: name, until: quote)
        return Attribute(start: start, name: name, value: value)
    }

    private mutating func scanValue(of name: Range<Int>, until quote: UInt8) throws -> Range<Int> {
        let start = offset
        let place = place
        while true {
            skipPlain(until: quote)
            guard offset - start <= rules.text else { throw tooLong("the value of '\(try string(name))'") }
            let byte = try peek()
            guard byte != quote else { break }
            guard try !isAtEnd(), byte != UInt8(ascii: "<") else {
                throw ModelingError(.malformed, "the value of '\(try string(name))' has no end", at: place)
            }
            try scanCharacter()
        }
        defer { skip(1) }
        return start..<offset
    }

    mutating func scanEndTag() throws {
        skip(2)
        name = try scanName("end tag")
        guard let element = open.popLast() else { throw malformed("an end tag closes nothing") }
        let expected = openNames.suffix(element.nameLength)
        guard bytes(name) == expected else {
            let expected = String(decoding: expected, as: UTF8.self)
            throw ModelingError(
                .malformed, "<\(expected)> of line \(element.place.line) is closed by </\(try string(name))>",
                at: tokenPlace)
        }
        openNames.removeLast(element.nameLength)
        let start = offset
        try skipWhiteSpace()
        guard try peek() == UInt8(ascii: ">") else { throw malformed("the end tag </\(try string(name))> has no end") }
        closingSpace = start..<offset
        skip(1)
    }
}
