import CLibXML2

/// Makes elements of what the parser reports.
final class XMLItemBuilder {
    /// An element that has begun and is, or lies in, one to hand out.
    private struct Open {
        var node: XMLNode
        /// The path at which it lies; nil for one within another.
        let path: Int?
        let line: Int
        let depth: Int
        let sizeBefore: Int
        let bases: [String]
    }

    /// The bytes and references to which one entity may expand, and all references of a document together.
    private static let (greatestEntity, greatestExpansion) = (1 << 16, 16 << 20)

    private let paths: [XMLItemPath]
    private let prefixes: [String: String]
    /// The parser, which owns this through its reader.
    var parser: UnsafeMutablePointer<xmlParserCtxt>?
    @exclusivity(unchecked) private(set) var failure: XMLReadingError?
    @exclusivity(unchecked) private var items: [XMLItem] = []
    @exclusivity(unchecked) private var open: [Open] = []
    /// For each element that has begun, the paths on which it lies.
    @exclusivity(unchecked) private var matches: [[Int]] = []
    /// The attributes `xml:base` of elements that have begun, with the depths of these.
    @exclusivity(unchecked) private var bases: [(depth: Int, text: String)] = []
    @exclusivity(unchecked) private var text: [UInt8] = []
    @exclusivity(unchecked) private var size = 0
    /// The sizes of entities by name: their own, and with all that they refer to.
    private var entities: [String: (own: Int, whole: Int)] = [:]
    private var expansion = 0
    private var names: [NameKey: String] = [:]
    /// The names that were looked up last, by bits of the addresses of their local parts.
    @exclusivity(unchecked) private var recentNames = [(key: NameKey, name: String)?](repeating: nil, count: 256)

    /// A name by the addresses of its parts, which the parser keeps once for each text.
    private struct NameKey: Hashable {
        let local, prefix, namespace: UnsafePointer<xmlChar>?
    }

    init(_ paths: [XMLItemPath], prefixes: [String: String]) {
        self.paths = paths
        self.prefixes = Dictionary(prefixes.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    func takeItems() -> [XMLItem] {
        defer { items = [] }
        return items
    }

    var line: Int { parser?.pointee.input.map { Int($0.pointee.line) } ?? 0 }

    func fail(_ reason: String, line: Int? = nil, column: Int = 0) {
        guard failure == nil else { return }
        failure = XMLReadingError(reason: reason, line: line ?? self.line, column: column)
        if let parser { xmlStopParser(parser) }
    }

    // MARK: Elements

    func begin(_ name: String, attributes: () -> [XMLNode.Attribute]) {
        guard failure == nil else { return }
        let depth = matches.count
        guard depth < XMLItem.greatestDepth else {
            return fail("elements lie in one another more than \(XMLItem.greatestDepth) levels deep")
        }
        let candidates = depth == 0 ? Array(paths.indices) : matches[depth - 1]
        let own = candidates.isEmpty ? [] : candidates.filter { paths[$0].allows(name, at: depth) }
        matches.append(own)
        let path = own.first { paths[$0].steps.count == depth + 1 }
        // Elements around one that is handed out matter for their bases alone.
        guard path != nil || !open.isEmpty || !own.isEmpty else { return }
        let attributes = attributes()
        if let base = attributes.first(where: { $0.name == "xml:base" }) { bases.append((depth, base.value)) }
        guard path != nil || !open.isEmpty else { return }
        takeText()
        let sizeBefore = size
        size += name.utf8.count + attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        open.append(
            Open(
                node: XMLNode(name: name, attributes: attributes), path: path, line: line, depth: depth,
                sizeBefore: sizeBefore, bases: path == nil ? [] : bases.map(\.text)))
        checkSize()
    }

    func end() {
        guard failure == nil, !matches.isEmpty else { return }
        matches.removeLast()
        if bases.last?.depth == matches.count { bases.removeLast() }
        guard matches.count == open.last?.depth else { return }
        takeText()
        let last = open.removeLast()
        if let path = last.path {
            items.append(
                .init(
                    path: path, node: last.node, line: last.line, size: size - last.sizeBefore, bases: last.bases))
            // What has been handed out is no part of what is around it.
            size = last.sizeBefore
        } else if !open.isEmpty {
            open[open.count - 1].node.children.append(last.node)
        }
    }

    func append(_ bytes: UnsafeBufferPointer<xmlChar>) {
        guard failure == nil, !open.isEmpty else { return }
        text.append(contentsOf: bytes)
        size += bytes.count
        checkSize()
    }

    private func takeText() {
        guard !text.isEmpty else { return }
        if !open.isEmpty {
            let part = String(decoding: text, as: UTF8.self)
            if open[open.count - 1].node.text.isEmpty {
                open[open.count - 1].node.text = part
            } else {
                open[open.count - 1].node.text += part
            }
        }
        text.removeAll(keepingCapacity: true)
    }

    private func checkSize() {
        if size > XMLItem.greatestSize {
            fail("an element is longer than \(XMLItem.greatestSize >> 20) megabytes")
        }
    }

    // MARK: Entities

    /// Notes an entity that the document declares; one that expands to too much ends the reading.
    func declare(_ name: String, _ content: String) {
        guard failure == nil, entities[name] == nil else { return }
        // What it refers to was declared before, or cannot be referred to.
        var whole = content.utf8.count
        for part in content.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            whole += 1 + (entities[String(part.prefix { $0 != ";" })]?.whole ?? 0)
        }
        entities[name] = (content.utf8.count, whole)
        if whole > Self.greatestEntity {
            fail("the entity '\(name)' expands to more than \(Self.greatestEntity) bytes")
        }
    }

    /// Whether a reference to an entity is replaced: too many end the reading.
    func allowsReference(to name: String) -> Bool {
        guard failure == nil else { return false }
        guard let entity = entities[name] else {
            fail("the entity '\(name)' is not declared, or lies outside of the document")
            return false
        }
        expansion += 1 + entity.own
        if expansion > Self.greatestExpansion {
            fail("the entities expand to more than \(Self.greatestExpansion >> 20) megabytes")
        }
        return failure == nil
    }

    // MARK: Names

    /// The qualified name, with the prefix that the reader was given for the namespace.
    fileprivate func name(
        _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?
    ) -> String {
        let key = NameKey(local: local, prefix: prefix, namespace: namespace)
        let place = Int(bitPattern: local) >> 3 & 255
        if let recent = recentNames[place], recent.key == key { return recent.name }
        let name = unknownName(key)
        recentNames[place] = (key, name)
        return name
    }

    private func unknownName(_ key: NameKey) -> String {
        if let known = names[key] { return known }
        let (local, prefix, namespace) = (key.local, key.prefix, key.namespace)
        let own = local.map { String(cString: $0) } ?? ""
        let written = prefix.map { String(cString: $0) } ?? ""
        let address = namespace.map { String(cString: $0) }
        let name: String
        if let given = address.flatMap({ prefixes[$0] }) {
            name = given.isEmpty ? own : "\(given):\(own)"
        } else if let address, prefixes.values.contains(written) {
            // The prefix stands for another namespace in the paths.
            name = "{\(address)}\(own)"
        } else {
            name = written.isEmpty ? own : "\(written):\(own)"
        }
        names[key] = name
        return name
    }
}

// MARK: What libxml2 calls

extension XMLItemBuilder {
    private static func at(_ context: UnsafeMutableRawPointer?) -> XMLItemBuilder {
        guard let context else { preconditionFailure("libxml2 calls without the context that it was given") }
        return Unmanaged<XMLItemBuilder>.fromOpaque(context).takeUnretainedValue()
    }

    /// The functions for the parser. Those of document type definitions that are not there stay unset: nothing is loaded.
    static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        setDeclarations(&handler)
        handler.startElementNs = { context, local, prefix, namespace, _, _, count, _, attributes in
            let builder = XMLItemBuilder.at(context)
            builder.begin(builder.name(local, prefix, namespace)) {
                XMLItemBuilder.attributes(attributes, Int(count), builder)
            }
        }
        handler.endElementNs = { context, _, _, _ in XMLItemBuilder.at(context).end() }
        handler.characters = { context, bytes, count in
            XMLItemBuilder.at(context).append(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.serror = { context, error in
            guard let error, error.pointee.level == XML_ERR_FATAL else { return }
            let reason = error.pointee.message.map { String(cString: $0) } ?? "it is not well-formed"
            XMLItemBuilder.at(context).fail(
                reason.split(separator: "\n").first.map(String.init) ?? reason, line: Int(error.pointee.line),
                column: Int(error.pointee.int2))
        }
        return handler
    }

    private static func setDeclarations(_ handler: inout xmlSAXHandler) {
        handler.startDocument = { xmlSAX2StartDocument(XMLItemBuilder.at($0).parser) }
        handler.internalSubset = { xmlSAX2InternalSubset(XMLItemBuilder.at($0).parser, $1, $2, $3) }
        handler.entityDecl = { context, name, kind, publicID, systemID, content in
            let builder = XMLItemBuilder.at(context)
            guard kind == Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue), let name, let content else { return }
            builder.declare(String(cString: name), String(cString: content))
            xmlSAX2EntityDecl(builder.parser, name, kind, publicID, systemID, content)
        }
        handler.getEntity = { context, name in
            let builder = XMLItemBuilder.at(context)
            guard let name, builder.allowsReference(to: String(cString: name)) else { return nil }
            return xmlSAX2GetEntity(builder.parser, name)
        }
    }

    /// Five addresses an attribute: local name, prefix, namespace, and the value's start and end.
    private static func attributes(
        _ all: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int, _ builder: XMLItemBuilder
    ) -> [XMLNode.Attribute] {
        guard let all, count > 0 else { return [] }
        return (0..<count).map { number in
            let parts = all + 5 * number
            let value = parts[3].flatMap { start in
                parts[4].map { String(decoding: UnsafeBufferPointer(start: start, count: $0 - start), as: UTF8.self) }
            }
            return .init(name: builder.name(parts[0], parts[1], parts[2]), value: value ?? "")
        }
    }
}
