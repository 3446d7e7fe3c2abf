/// An element of a model's source with its contents, with their spelling in the source.
///
/// Invariant: an element that was read and not changed is written as the text from which it was read.
package struct ModelElement: Hashable, Sendable {
    /// The contents of an element.
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
        /// `<a />` or `<a ></a >`: with white space `beforeEnd` of the first tag, or `closing` the end tag.
        case own(isSelfClosing: Bool, beforeEnd: String, closing: String)
    }

    package let name: String
    package internal(set) var attributes: [ModelAttribute] = []
    var contents: [Content] = []
    var spelling = Spelling.selfClosing
    /// The position of the element in the source from which it was read.
    package var place = SourcePlace(line: 0, column: 0)

    init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }

    /// Makes an element in the form that Xcode writes, with its attributes in Xcode's order.
    package init(_ name: String, _ attributes: [ModelAttribute] = [], elements: [ModelElement] = []) {
        self.name = name
        self.attributes = ElementOrder.sorted(attributes, of: name)
        contents = elements.map(Content.element)
        if !elements.isEmpty { spelling = .pair }
    }

    /// The child elements.
    package var elements: [ModelElement] { contents.compactMap(\.element) }

    /// The value of an attribute; nil if it is missing.
    package subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Sets an attribute, which is added at Xcode's position if it is missing; nil removes it.
    ///
    /// An attribute that already has the value keeps its spelling.
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
        // If every attribute has a separate line, the added one gets one too.
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

    /// Whether the element has a start and an end tag, rather than a single tag.
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
