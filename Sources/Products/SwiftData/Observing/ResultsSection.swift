import Foundation

/// Results of a fetch that have one value of the property by which they are grouped.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Identifiable {
    /// The value that the results have in common.
    public let title: SectionTitle
    private let elements: [Element]

    init(title: SectionTitle, _ elements: [Element]) {
        self.title = title
        self.elements = elements
    }

    public var id: SectionTitle { title }
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }
}

/// Results of a fetch in sections, in the order in which their first results stand.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection {
    private let sections: [ResultsSection<Element, SectionTitle>]
    private let places: [SectionTitle: Int]

    /// No results.
    public init() {
        sections = []
        places = [:]
    }

    init(_ results: some Sequence<Element>, title: (Element) -> SectionTitle) {
        var titles: [SectionTitle] = []
        var members: [SectionTitle: [Element]] = [:]
        for result in results {
            let title = title(result)
            if members[title] == nil { titles.append(title) }
            members[title, default: []].append(result)
        }
        sections = titles.map { ResultsSection(title: $0, members[$0] ?? []) }
        places = Dictionary(uniqueKeysWithValues: titles.enumerated().map { ($1, $0) })
    }

    /// The titles of the sections, in their order.
    public var sectionTitles: [SectionTitle] { sections.map(\.title) }
    public var startIndex: Int { 0 }
    public var endIndex: Int { sections.count }
    public subscript(position: Int) -> ResultsSection<Element, SectionTitle> { sections[position] }

    /// The section with a title; nil if there is none.
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
        places[title].map { sections[$0] }
    }

    /// Whether there is a section with a title.
    public func contains(sectionTitle title: SectionTitle) -> Bool { places[title] != nil }

    /// The place of the section with a title; nil if there is none.
    public func index(ofSectionTitled title: SectionTitle) -> Int? { places[title] }
}
