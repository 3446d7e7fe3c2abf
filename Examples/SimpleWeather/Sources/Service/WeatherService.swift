import Foundation
import LoopbackService

/// The service: a feed of the weather in San Francisco, with the elements of the one that the book reads.
enum WeatherService {
    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard request.path == ["forecastrss"] else { return .refusal(404, "There is nothing here.") }
        return .content(Data(feed.utf8), "text/xml; charset=utf-8")
    }

    static let feed = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
        <rss version="2.0" xmlns:yweather="http://xml.weather.yahoo.com/ns/rss/1.0" \
        xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#">
        <channel>
        <title>Weather - San Francisco, CA</title>
        <language>en-us</language>
        <lastBuildDate>Wed, 22 Feb 2012 9:53 am PST</lastBuildDate>
        <yweather:location city="San Francisco" region="CA" country="US"/>
        <yweather:units temperature="F" distance="mi" pressure="in" speed="mph"/>
        <item>
        <title>Conditions for San Francisco, CA at 9:53 am PST</title>
        <geo:lat>37.78</geo:lat>
        <geo:long>-122.42</geo:long>
        <yweather:condition text="Fair" code="34" temp="37" date="Wed, 22 Feb 2012 9:53 am PST" />
        <description><![CDATA[<b>Current Conditions:</b><br />Fair, 37 F]]></description>
        <yweather:forecast day="Wed" date="22 Feb 2012" low="31" high="39" text="Partly Cloudy" code="30" />
        <yweather:forecast day="Thu" date="23 Feb 2012" low="32" high="40" text="Showers" code="11" />
        <yweather:forecast day="Fri" date="24 Feb 2012" low="27" high="35" text="Snow Showers" code="46" />
        <yweather:forecast day="Sat" date="25 Feb 2012" low="21" high="33" text="Mostly Cloudy" code="28" />
        </item>
        </channel>
        </rss>
        """
}
