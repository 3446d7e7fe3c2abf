/// An element of a model's source with everything in it, spelled as its author spelled it.
///
/// Invariant: written out again, an element that was read and not changed gives the text that it was read from.
package struct ModelElement: Hashable, Sendable {
    /// What stands in an element.
    enum Content: Hashable, Sendable {
        case element(ModelElement)
        /// Characters as they are written.
        case text(String)
        /// A comment, a processing instruction or a section of character data as it is written.
        case markup(String)
    }

    /// How the tags are written.
    indirect enum Spelling: Hashable, Sendable {
        /// `<a/>`
        case selfClosing
        /// `<a></a>`
        case pair
        /// With white space before the end of the tags.
        case own(isSelfClosing: Bool, beforeEnd: String, closing: String)
    }

    package let name: String
    package internal(set) var attributes: [ModelAttribute] = []
    var contents: [Content] = []
    var spelling = Spelling.selfClosing
    /// Where the element began when it was read.
    package var place = SourcePlace(line: 0, column: 0)

    init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }

    /// An element in the spelling of Xcode; the attributes are put in the order in which Xcode writes them.
    package init(_ name: String, _ attributes: [ModelAttribute] = [], elements: [ModelElement] = []) {
        self.name = name
        self.attributes = ElementOrder.sorted(attributes, of: name)
        contents = elements.map(Content.element)
        if !elements.isEmpty { spelling = .pair }
    }

    /// The elements that stand directly in this one.
    package var elements: [ModelElement] { contents.compactMap(\.element) }

    /// The value of an attribute; nil if it is missing.
    package subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Sets an attribute, adds it where Xcode would write it, or removes it.
    ///
    /// An attribute that has the value already keeps its spelling.
    /// - Throws: `ModelingError` for names and values that XML cannot express.
    package mutating func set(_ value: String?, for attribute: String) throws {
        let index = attributes.firstIndex { $0.name == attribute }
        guard let value else {
            if let index { attributes.remove(at: index) }
            return
        }
        guard MarkupText.isName(attribute), MarkupText.isAllowed(value) else {
            throw ModelingError(.invalidModel, "'\(attribute)' of <\(name)> has characters that XML cannot express")
        }
        if let index {
            if attributes[index].value != value { attributes[index].setValue(value) }
        } else {
            insert(ModelAttribute(attribute, value))
        }
    }

    private mutating func insert(_ attribute: ModelAttribute) {
        let rank = ElementOrder.rank(of: attribute.name, in: name)
        let before = attributes.lastIndex { ElementOrder.rank(of: $0.name, in: name) <= rank }
        let index = before.map { $0 + 1 } ?? 0
        var attribute = attribute
        // Where every attribute has a line of its own, the added one gets one too.
        if let lead = before.map({ attributes[$0].lead }), lead != " " {
            attribute.spelling = .own(before: lead, equals: "=", quote: "\"")
        }
        attributes.insert(attribute, at: index)
    }

    // MARK: Writing

    func write(to text: inout String) {
        text += "<\(name)"
        for attribute in attributes { attribute.write(to: &text) }
        let (isSelfClosing, beforeEnd, closing) = tags
        text += isSelfClosing ? "\(beforeEnd)/>" : "\(beforeEnd)>"
        guard !isSelfClosing else { return }
        for content in contents {
            switch content {
            case .element(let element): element.write(to: &text)
            case .text(let raw), .markup(let raw): text += raw
            }
        }
        text += "</\(name)\(closing)>"
    }

    /// Whether the element has two tags, with contents between them or none.
    var hasContents: Bool { !tags.isSelfClosing }

    private var tags: (isSelfClosing: Bool, beforeEnd: String, closing: String) {
        switch spelling {
        case .selfClosing: (contents.isEmpty, "", "")
        case .pair: (false, "", "")
        case .own(let isSelfClosing, let beforeEnd, let closing):
            (isSelfClosing && contents.isEmpty, beforeEnd, closing)
        }
    }
}

extension ModelElement.Content {
    var element: ModelElement? {
        guard case .element(let element) = self else { return nil }
        return element
    }
}
