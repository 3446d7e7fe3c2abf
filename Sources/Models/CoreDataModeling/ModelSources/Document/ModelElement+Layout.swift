/// How a document breaks and indents its lines.
struct Margin {
    /// The line break; empty if the document has its elements on one line.
    var newline: String
    /// The indentation of one level.
    var unit: String

    func indent(_ depth: Int) -> String {
        newline.isEmpty ? "" : newline + String(repeating: unit, count: depth)
    }
}

extension ModelElement {
    /// Formats the element with every inner element on a separate line; elements without contents get a single tag.
    mutating func layOut(_ margin: Margin, depth: Int) {
        let inner = elements
        contents = []
        spelling = inner.isEmpty ? .selfClosing : .pair
        for var element in inner {
            element.layOut(margin, depth: depth + 1)
            contents += [.text(margin.indent(depth + 1)), .element(element)]
        }
        if !inner.isEmpty { contents.append(.text(margin.indent(depth))) }
    }

    /// Adds an element at the position and in the form that Xcode uses, on separate lines.
    ///
    /// - Parameter depth: the number of elements that enclose this one.
    mutating func insert(_ element: ModelElement, margin: Margin, depth: Int) {
        var element = element
        element.layOut(margin, depth: depth + 1)
        let places = contents.indices.filter { contents[$0].element != nil }
        guard !places.isEmpty else { return insertFirst(element, margin: margin, depth: depth) }
        let present = elements
        let place = ElementOrder.place(for: element, among: present, in: name)
        let lead = contents.first?.space.flatMap(Self.lastLine) ?? margin.indent(depth + 1)
        // Inserted after the preceding element, so that comments before the following element stay with that one.
        let target = place ?? present.count
        let index = target == 0 ? 0 : places[target - 1] + 1
        let added: [Content] = lead.isEmpty ? [.element(element)] : [.text(lead), .element(element)]
        contents.insert(contentsOf: added, at: index)
    }

    private mutating func insertFirst(_ element: ModelElement, margin: Margin, depth: Int) {
        if let last = contents.last?.space.flatMap(Self.lastLine) {
            contents.removeLast()
            contents += [.text(margin.indent(depth + 1)), .element(element), .text(last)]
        } else {
            contents += [.text(margin.indent(depth + 1)), .element(element), .text(margin.indent(depth))]
        }
        openTag()
    }

    /// Removes an element with the white space of its line.
    mutating func remove(at index: Int) {
        contents.remove(at: index)
        if index > 0, let space = contents[index - 1].space {
            if let line = Self.lastLine(of: space) {
                let rest = String(space.unicodeScalars.dropLast(line.unicodeScalars.count))
                contents[index - 1] = .text(rest)
                if rest.isEmpty { contents.remove(at: index - 1) }
            }
        }
        guard contents.allSatisfy({ $0.space != nil }) else { return }
        contents = []
        closeTag()
    }

    private mutating func openTag() {
        switch spelling {
        case .selfClosing: spelling = .pair
        case .own(true, let beforeEnd, let closing):
            spelling = .own(isSelfClosing: false, beforeEnd: beforeEnd, closing: closing)
        default: break
        }
    }

    private mutating func closeTag() {
        guard case .own(_, let beforeEnd, _) = spelling else {
            spelling = .selfClosing
            return
        }
        spelling = .own(isSelfClosing: true, beforeEnd: beforeEnd, closing: "")
    }

    /// The last line break of white space and what follows it; nil if it does not contain one.
    static func lastLine(of space: String) -> String? {
        guard let index = space.utf8.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let before = space.utf8[..<index]
        let isPair = before.last == UInt8(ascii: "\r")
        return String(space.utf8[(isPair ? before.index(before: before.endIndex) : index)...])
    }
}

extension ModelElement.Content {
    /// The text, if it is white space alone.
    var space: String? {
        guard case .text(let text) = self, text.utf8.allSatisfy({ [0x20, 0x9, 0xA, 0xD].contains($0) }) else {
            return nil
        }
        return text
    }
}
