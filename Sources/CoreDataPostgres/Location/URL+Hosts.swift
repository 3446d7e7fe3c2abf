import CoreDataSQL

extension URL {
    /// The URL of a store on a server, from text as libpq takes it; nil for text without its scheme.
    ///
    /// Foundation reads no URL whose hosts have ports of their own (`db1:5432,db2:5433`), and none with a port that is no number. Its
    /// hosts and ports become the parameters `host` and `port`, of which libpq says what is wrong with them. Source: PostgreSQL 15,
    /// section 34.1.1.2 of its documentation.
    package init?(server text: String) {
        guard PostgresLocation.schemes.contains(where: { text.hasPrefix($0 + "://") }),
            let start = text.range(of: "://")?.upperBound
        else { return nil }
        if let url = URL(string: text) {
            self = url
            return
        }
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let places = text[start..<end].lastIndex(of: "@").map { text.index(after: $0) } ?? start
        var (hosts, ports): ([Substring], [Substring]) = ([], [])
        for place in text[places..<end].split(separator: ",", omittingEmptySubsequences: false) {
            let bracket = place.lastIndex(of: "]") ?? place.startIndex
            let colon = place[bracket...].lastIndex(of: ":")
            hosts.append(place[..<(colon ?? place.endIndex)])
            ports.append(colon.map { place[place.index(after: $0)...] } ?? "")
        }
        let hostList = hosts.map { $0.trimmingCharacters(in: ["[", "]"]) }.joined(separator: ",")
        let rest = text[end...] + (text[end...].contains("?") ? "&" : "?")
        self.init(string: text[..<places] + rest + "host=\(hostList)&port=\(ports.joined(separator: ","))")
    }
}
