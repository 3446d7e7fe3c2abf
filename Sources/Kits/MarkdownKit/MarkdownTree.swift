import CMarkdown

/// The parts of a text in Markdown, by md4c: CommonMark with the tables, tasks, deletions and plain addresses of GitHub's. HTML is
/// text.
package enum MarkdownTree {
    /// How deep parts may lie in one another; deeper ones stand beside each other.
    package static let greatestDepth = 48
    /// The longest text, in bytes, which is more than people write.
    package static let greatestSize = 4 << 20

    /// The parts of a text; nil for a text that is too long, or for which there is no memory.
    package static func nodes(_ text: String) -> [MarkdownNode]? {
        guard text.utf8.count <= greatestSize else { return nil }
        let builder = MarkdownBuilder()
        var parser = MD_PARSER()
        parser.flags =
            UInt32(MD_FLAG_NOHTMLBLOCKS | MD_FLAG_NOHTMLSPANS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH)
            | UInt32(MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS)
        parser.enter_block = { type, detail, data in MarkdownBuilder.of(data).enter(type, detail) }
        parser.leave_block = { type, _, data in MarkdownBuilder.of(data).leave(type) }
        parser.enter_span = { type, detail, data in MarkdownBuilder.of(data).enter(type, detail) }
        parser.leave_span = { _, _, data in MarkdownBuilder.of(data).leave() }
        parser.text = { type, bytes, count, data in MarkdownBuilder.of(data).add(type, bytes, Int(count)) }
        var copy = text
        let status = copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                withExtendedLifetime(builder) {
                    md_parse(
                        characters.baseAddress, UInt32(characters.count), &parser,
                        Unmanaged.passUnretained(builder).toOpaque())
                }
            }
        }
        return status == 0 ? builder.nodes : nil
    }
}

/// Makes the tree of what the parser reports.
private final class MarkdownBuilder {
    private var open: [(element: MarkdownNode.Element?, nodes: [MarkdownNode])] = [(nil, [])]

    static func of(_ data: UnsafeMutableRawPointer?) -> MarkdownBuilder {
        guard let data else { return MarkdownBuilder() }
        return Unmanaged<MarkdownBuilder>.fromOpaque(data).takeUnretainedValue()
    }

    var nodes: [MarkdownNode] { open[0].nodes }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> CInt {
        switch type {
        case MD_BLOCK_P: begin(.paragraph)
        case MD_BLOCK_QUOTE: begin(.quote)
        case MD_BLOCK_UL: begin(.list(start: nil))
        case MD_BLOCK_OL:
            begin(.list(start: detail.map { Int($0.assumingMemoryBound(to: MD_BLOCK_OL_DETAIL.self).pointee.start) }))
        case MD_BLOCK_LI:
            let item = detail?.assumingMemoryBound(to: MD_BLOCK_LI_DETAIL.self).pointee
            begin(.item(isDone: item.flatMap { $0.is_task != 0 ? $0.task_mark != 32 : nil }))
        case MD_BLOCK_H:
            begin(.heading(level: Int(detail?.assumingMemoryBound(to: MD_BLOCK_H_DETAIL.self).pointee.level ?? 1)))
        case MD_BLOCK_CODE:
            let code = detail?.assumingMemoryBound(to: MD_BLOCK_CODE_DETAIL.self).pointee
            begin(.codeBlock(language: code.map { Self.text($0.lang) } ?? ""))
        case MD_BLOCK_TABLE: begin(.table)
        case MD_BLOCK_TR: begin(.row)
        case MD_BLOCK_TH: begin(.cell(isHead: true))
        case MD_BLOCK_TD: begin(.cell(isHead: false))
        case MD_BLOCK_HR: add(.rule)
        default: break
        }
        return 0
    }

    func leave(_ type: MD_BLOCKTYPE) -> CInt {
        switch type {
        case MD_BLOCK_DOC, MD_BLOCK_HR, MD_BLOCK_HTML, MD_BLOCK_THEAD, MD_BLOCK_TBODY: return 0
        default: return leave()
        }
    }

    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> CInt {
        switch type {
        case MD_SPAN_EM: begin(.emphasis)
        case MD_SPAN_STRONG: begin(.strong)
        case MD_SPAN_DEL: begin(.deleted)
        case MD_SPAN_CODE: begin(.code)
        case MD_SPAN_A:
            let link = detail?.assumingMemoryBound(to: MD_SPAN_A_DETAIL.self).pointee
            begin(.link(address: link.map { Self.text($0.href) } ?? "", title: link.map { Self.text($0.title) } ?? ""))
        case MD_SPAN_IMG:
            let image = detail?.assumingMemoryBound(to: MD_SPAN_IMG_DETAIL.self).pointee
            begin(
                .image(address: image.map { Self.text($0.src) } ?? "", title: image.map { Self.text($0.title) } ?? ""))
        default: begin(.emphasis)
        }
        return 0
    }

    func leave() -> CInt {
        guard open.count > 1, let last = open.popLast() else { return 0 }
        if let element = last.element, open.count <= MarkdownTree.greatestDepth {
            add(.element(element, last.nodes))
        } else {
            for node in last.nodes { add(node) }
        }
        return 0
    }

    func add(_ type: MD_TEXTTYPE, _ bytes: UnsafePointer<CChar>?, _ count: Int) -> CInt {
        switch type {
        case MD_TEXT_BR: add(.lineBreak)
        case MD_TEXT_SOFTBR: add(.text("\n"))
        case MD_TEXT_NULLCHAR: add(.text("\u{FFFD}"))
        case MD_TEXT_ENTITY: add(.text(MarkdownEntity.text(Self.text(bytes, count))))
        default: add(.text(Self.text(bytes, count)))
        }
        return 0
    }

    private func begin(_ element: MarkdownNode.Element) { open.append((element, [])) }

    /// Texts beside each other become one.
    private func add(_ node: MarkdownNode) {
        let last = open.count - 1
        if case .text(let more) = node, case .text(let before)? = open[last].nodes.last {
            open[last].nodes[open[last].nodes.count - 1] = .text(before + more)
        } else {
            open[last].nodes.append(node)
        }
    }

    private static func text(_ attribute: MD_ATTRIBUTE) -> String { text(attribute.text, Int(attribute.size)) }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let bytes, count > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
