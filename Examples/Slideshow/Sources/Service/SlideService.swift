import Foundation
import LoopbackService

/// The service: a page of posts, of which some are pictures, one of them broken.
enum SlideService {
    /// The addresses of the posts of the page, below that of the service.
    static let posts = [
        "/one.png", "/article.html", "/two.PNG", "/broken.jpg", "/three.jpeg", "/comments", "/missing.gif", "/four.gif",
    ]

    /// Answers a request to the service whose address is given.
    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.path.last {
        case ".json":
            let base = "http://\(request.headers["host"] ?? "")"
            let children = posts.map { ["kind": "t3", "data": ["title": $0, "url": base + $0]] as [String: Any] }
            let own: [String: Any] = ["kind": "t3", "data": ["title": "A post of text alone"]]
            return .json(["kind": "Listing", "data": ["children": children + [own]]])
        case "one.png", "two.PNG": return .content(png, "image/png")
        case "three.jpeg": return .content(jpeg, "image/jpeg")
        case "four.gif": return .content(gif, "image/gif")
        case "broken.jpg": return .content(Data("no picture".utf8), "image/jpeg")
        default: return .refusal(404, "There is nothing here.")
        }
    }

    private static let png = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
    private static let gif = bytes("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    /// The head of a picture of 2 by 3 pixels, which is what is looked at.
    private static let jpeg = bytes("/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAADAAIDASIAAhEBAxEB/9k=")

    private static func bytes(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
