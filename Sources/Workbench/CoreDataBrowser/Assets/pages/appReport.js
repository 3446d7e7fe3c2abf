/** The objects of a fetched property, asked for at each opening. */
import { h, stored } from '../base/dom.js';
import { api, address } from '../base/api.js';
import { t } from '../base/i18n.js';
import { link } from '../base/router.js';
import { empty } from '../components/states.js';
import { useStyles } from '../components/appParts.js';

export async function render({ params, query, signal }) {
    useStyles();
    const [app, reply] = await Promise.all([api.get(`/apps/${params.app}`, signal),
        api.get(address(['apps', params.app, 'reports', params.entity, params.key, params.name],
            { sort: query.get('sort') ?? '', limit: 1000 }), signal)]);
    const rows = reply.rows.map((row) => h('li.approw', {},
        h('a', { href: link(address(['apps', app.id, 'forms', row.form, ...row.id.split('/')])) },
            h('strong', {}, stored(row.title || ' ')),
            row.subtitle !== null && h('span.dim', {}, stored(row.subtitle)))));
    return { element: h('div.page.app', {}, h('h1', {}, stored(reply.title)),
        rows.length ? h('ul.applist', {}, rows) : empty(t('list.noneFound'))),
        title: reply.title, crumbs: [[t('stores.title'), '/'], [app.title, `/apps/${app.id}`], [reply.title]] };
}
